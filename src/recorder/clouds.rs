//! Particles and contacts as clouds of points: what a frame shows.

use crate::law::ContactState;
use crate::math::Vec3;
use crate::recorder::vtu::Cloud;
use crate::simulation::Simulation;

/// The bounded bodies of a simulation as points: what ParaView shows as glyphs, turned by `orientation` (w, x, y, z)
/// and scaled by `size_m`; `body` is the id. In periodic space each lies in the first period.
pub fn particles(simulation: &Simulation) -> Cloud {
    let world = simulation.world();
    let bounded: Vec<usize> = (0..world.len()).filter(|i| world.shapes()[*i].is_bounded()).collect();
    let points = bounded.iter().map(|i| wrapped(&world.positions()[*i], world.periods()));
    let mut cloud = Cloud { points: points.collect(), arrays: Vec::new() };
    let each = |number: &dyn Fn(usize) -> f64| bounded.iter().map(|i| number(*i)).collect::<Vec<f64>>();
    let triple = |vector: &dyn Fn(usize) -> Vec3| {
        bounded.iter().flat_map(|i| <[f64; 3]>::from(vector(*i))).collect::<Vec<f64>>()
    };
    cloud.push("body", 1, each(&|i| f64::from(world.ids()[i])));
    let orientation = bounded.iter().flat_map(|i| {
        let q = world.orientations()[*i];
        [q.w, q.i, q.j, q.k]
    });
    cloud.push("orientation", 4, orientation.collect());
    cloud.push("velocity_m_per_s", 3, triple(&|i| world.velocities()[i].linear));
    cloud.push("angular_velocity_rad_per_s", 3, triple(&|i| world.velocities()[i].angular));
    cloud.push("radius_m", 1, each(&|i| world.shapes()[i].bounding_radius()));
    // The edges of the box around the unturned shape.
    cloud.push(
        "size_m",
        3,
        triple(&|i| {
            let bounds = world.shapes()[i].aabb(&crate::math::Quat::identity());
            bounds.max - bounds.min
        }),
    );
    cloud.push("shape", 1, each(&|i| f64::from(world.shapes()[i].number())));
    cloud.push("free", 1, each(&|i| f64::from(u8::from(world.is_free(i)))));
    cloud
}

/// The contacts of the last step as points, with impulse and state (0 separating, 1 sticking, 2 sliding);
/// `body_a` and `body_b` are the ids of the bodies.
pub fn contacts(simulation: &Simulation) -> Cloud {
    let list = simulation.contacts();
    let world = simulation.world();
    let points = list.iter().map(|contact| wrapped(&contact.point_w, world.periods()));
    let mut cloud = Cloud { points: points.collect(), arrays: Vec::new() };
    let id = |body: u32| f64::from(world.ids()[body as usize]);
    let impact = |j: usize| simulation.impacts_w().get(j).copied().unwrap_or_else(Vec3::zeros);
    let impulses = simulation.impulses_w().iter().enumerate().flat_map(|(j, w)| <[f64; 3]>::from(w + impact(j)));
    cloud.push("impulse_N_s", 3, impulses.collect());
    cloud.push("normal", 3, list.iter().flat_map(|contact| <[f64; 3]>::from(contact.normal_w)).collect());
    cloud.push("gap_m", 1, list.iter().map(|contact| contact.gap).collect());
    let state = |state: &ContactState| match state {
        ContactState::Separating => 0.0,
        ContactState::Sticking => 1.0,
        ContactState::Sliding => 2.0,
    };
    cloud.push("state", 1, simulation.states().iter().map(state).collect());
    cloud.push("body_a", 1, list.iter().map(|contact| id(contact.a)).collect());
    cloud.push("body_b", 1, list.iter().map(|contact| id(contact.b)).collect());
    cloud
}

/// The image of a point in the first period.
fn wrapped(x: &Vec3, periods: &[Option<f64>; 3]) -> Vec3 {
    Vec3::from_fn(|k, _| periods[k].map_or(x[k], |period| x[k] - period * (x[k] / period).floor()))
}
