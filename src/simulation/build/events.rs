//! The events of a scene: names become ids, times become steps, and what needs geometry is checked.

use crate::error::Fault;
use crate::scene::Scene;
use crate::scene::Side;
use crate::simulation::Events;
use crate::simulation::Inlet;
use crate::simulation::Opening;
use crate::simulation::Outlet;
use crate::simulation::build::material_id;
use crate::world::World;

/// The events of a scene whose bodies have these `names`, by their ids.
///
/// # Panics
///
/// If the names are not those of the scene's bodies.
pub fn events(scene: &Scene, names: &[String]) -> Events {
    let step = |time: f64| (time / scene.step).round() as u64;
    let openings = scene.events.open.iter().map(|opening| {
        let body = names.iter().position(|name| *name == opening.wall);
        Opening { body: body.expect("a scene opens only its own walls") as u32, step: step(opening.time) }
    });
    let outlets = scene.events.outlets.iter().map(|outlet| Outlet {
        name: outlet.name.clone(),
        region: outlet.region.clone(),
        inside: outlet.remove == Side::Inside,
    });
    let inlets = scene.events.inlets.iter().map(|inlet| Inlet {
        name: inlet.name.clone(),
        shape: inlet.shape.clone(),
        size: inlet.size.clone(),
        material: material_id(scene, &inlet.material),
        region: inlet.region.clone(),
        rate: inlet.rate,
        first: step(inlet.start),
        end: inlet.end.map_or(u64::MAX, step),
        most: inlet.count.unwrap_or(u64::MAX),
        spacing: inlet.spacing,
        seed: inlet.seed,
        random_orientation: inlet.random_orientation,
        velocity: inlet.velocity,
        velocity_spread: inlet.velocity_spread,
    });
    Events { openings: openings.collect(), outlets: outlets.collect(), inlets: inlets.collect() }
}

/// What is wrong with the places of inlets and outlets.
pub(super) fn check(scene: &Scene, world: &World, events: &Events) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (i, inlet) in events.inlets.iter().enumerate() {
        let key = format!("events.inlets[{i}]");
        let largest = inlet.shape.size() * inlet.size.bounds().1;
        let (low, high) = inlet.region.bounds();
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let Some(period) = world.periods()[k] else { continue };
            if period < 2.0 * largest {
                let what = format!("particles of {largest} m in a period of {period} m along {axis}");
                faults.push(scene.fault(&key, what, "give a period of at least twice the largest particle"));
            }
            if low[k] < 0.0 || high[k] > period {
                let what = format!(
                    "the inlet `{}` lies outside the domain: {} to {} m along {axis}",
                    inlet.name, low[k], high[k]
                );
                faults.push(scene.fault(&key, what, format!("the domain is 0 to {period} m, one period")));
            }
        }
        let points = inlet.points();
        let outside = |outlet: &&Outlet| points.iter().any(|x| outlet.region.holds(x, 0.0) == outlet.inside);
        if let Some(outlet) = events.outlets.iter().find(outside) {
            let what = format!(
                "the inlet `{}` lies outside the domain: `{}` would take some of its particles at once",
                inlet.name, outlet.name
            );
            faults.push(scene.fault(&key, what, "move the inlet, or change the region of the outlet"));
        }
        if faults.is_empty() && !inlet.can_pour_into(world) {
            let what = format!("the inlet `{}` has no room: no place in its region is free of walls", inlet.name);
            faults.push(scene.fault(&key, what, "move it out of the walls, or make the region larger than a particle"));
        }
    }
    faults
}
