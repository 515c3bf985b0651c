//! The contact items of a scene, attached to its bodies.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::integrator;
use crate::integrator::Events;
use crate::integrator::Method;
use crate::math::Quat;
use crate::math::Vec3;
use crate::penalty::Attachment;
use crate::penalty::BodyHandle;
use crate::penalty::CoordinateOf;
use crate::penalty::Mass1D;
use crate::penalty::MassHandle;
use crate::scene;
use crate::scene::CoordinateMarker;
use crate::scene::Item;
use crate::scene::Marker;
use crate::scene::Scene;
use crate::simulation::AttachedItem;
use crate::simulation::Items;

/// The items of a scene; none where it has no `[[contacts]]`. Parsing has checked that all names are known.
pub(super) fn items(scene: &Scene) -> Option<Items> {
    if scene.contacts.is_empty() {
        return None;
    }
    let frame = |marker: &Marker| attachment(scene, marker);
    let coordinate = |marker: &CoordinateMarker| coordinate(scene, marker);
    let contacts = scene.contacts.iter().map(|contact| match &contact.item {
        Item::SphereSphere { parameters, markers } => {
            AttachedItem::SphereSphere(parameters.clone(), [frame(&markers[0]), frame(&markers[1])])
        }
        Item::SphereTorus { parameters, markers } => {
            AttachedItem::SphereTorus(parameters.clone(), [frame(&markers[0]), frame(&markers[1])])
        }
        Item::Coordinate { parameters, markers } => {
            AttachedItem::Coordinate(parameters.clone(), [coordinate(&markers[0]), coordinate(&markers[1])])
        }
    });
    let contacts = contacts.collect();
    let masses = scene.masses.iter();
    let masses =
        masses.map(|m| Mass1D { mass: m.mass, coordinate: m.coordinate, velocity: m.velocity, force: m.force });
    let stepping = &scene.integrator;
    let method = match stepping.method {
        scene::Method::SemiImplicitEuler => Method::SemiImplicitEuler,
        scene::Method::VelocityVerlet => Method::VelocityVerlet,
        scene::Method::RungeKutta4 => Method::RungeKutta4,
        scene::Method::GeneralisedAlpha => Method::GeneralisedAlpha { spectral_radius: stepping.spectral_radius },
    };
    let integrator = integrator::Settings {
        events: if stepping.iterate_events { Events::Iterate } else { Events::Land },
        override_stability: stepping.override_stability,
        ..integrator::Settings::new(method, stepping.step)
    };
    Some(Items {
        mass_names: scene.masses.iter().map(|mass| mass.name.clone()).collect(),
        masses: masses.collect(),
        contacts,
        integrator,
    })
}

/// What of a scene's items needs its bodies: that no marker is on a driven one, no coordinate that of a fixed one.
pub(super) fn check(scene: &Scene) -> Result<()> {
    let mut faults: Vec<Fault> = Vec::new();
    for (i, contact) in scene.contacts.iter().enumerate() {
        let (names, scalar): (Vec<&String>, bool) = match &contact.item {
            Item::SphereSphere { markers, .. } | Item::SphereTorus { markers, .. } => {
                (markers.iter().filter_map(|marker| marker.on.as_ref()).collect(), false)
            }
            Item::Coordinate { markers, .. } => (markers.iter().flat_map(bodies_of).collect(), true),
        };
        for name in names {
            let (what, remedy) = match body(scene, name).map(|body| &body.motion) {
                Some(scene::Motion::Driven { .. }) => {
                    ("driven", "items act on free and fixed bodies, masses and ground")
                }
                Some(scene::Motion::Fixed) if scalar => ("fixed", "use { on = \"ground\" } with an offset"),
                _ => continue,
            };
            let what = format!("a marker is on the {what} body \"{name}\"");
            faults.push(scene.fault(&format!("contacts[{i}]"), what, remedy));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Error::Input(faults)) }
}

fn bodies_of(marker: &CoordinateMarker) -> Vec<&String> {
    match marker {
        CoordinateMarker::Ground | CoordinateMarker::Mass(_) => Vec::new(),
        CoordinateMarker::Translation { body, .. } | CoordinateMarker::Rotation { body, .. } => vec![body],
        CoordinateMarker::Difference(pair) => [bodies_of(&pair.0), bodies_of(&pair.1)].concat(),
    }
}

fn body<'s>(scene: &'s Scene, name: &str) -> Option<&'s scene::Body> {
    scene.bodies.iter().chain(&scene.walls).find(|body| body.name == name)
}

/// Number of a body among the free ones; none if it is not free.
fn free(scene: &Scene, name: &str) -> Option<BodyHandle> {
    let mut free = scene.bodies.iter().filter(|body| body.motion == scene::Motion::Free);
    free.position(|body| body.name == name).map(BodyHandle)
}

/// Pose of a body that is not free.
fn pose(scene: &Scene, name: &str) -> (Vec3, Quat) {
    body(scene, name).map_or((Vec3::zeros(), Quat::identity()), |body| (body.position, body.orientation))
}

fn attachment(scene: &Scene, marker: &Marker) -> Attachment {
    let (position, orientation) = (marker.position, marker.orientation);
    let Some(name) = &marker.on else { return Attachment::Ground { position_w: position, orientation } };
    match free(scene, name) {
        Some(body) => Attachment::Body { body, position_b: position, orientation_b: orientation },
        None => {
            let (at, turn) = pose(scene, name);
            Attachment::Ground { position_w: at + turn * position, orientation: turn * orientation }
        }
    }
}

/// The coordinate of a marker; [`check`] refuses those of bodies that are not free.
fn coordinate(scene: &Scene, marker: &CoordinateMarker) -> CoordinateOf {
    match marker {
        CoordinateMarker::Ground => CoordinateOf::Ground,
        CoordinateMarker::Mass(name) => {
            let number = scene.masses.iter().position(|mass| mass.name == *name);
            CoordinateOf::Mass(MassHandle(number.expect("parsing has checked the name")))
        }
        CoordinateMarker::Translation { body, position, along } => match free(scene, body) {
            Some(body) => CoordinateOf::Translation { body, position_b: *position, axis_w: *along },
            None => CoordinateOf::Ground,
        },
        CoordinateMarker::Rotation { body, about } => match free(scene, body) {
            Some(body) => CoordinateOf::Rotation { body, axis_w: *about },
            None => CoordinateOf::Ground,
        },
        CoordinateMarker::Difference(pair) => {
            CoordinateOf::difference(coordinate(scene, &pair.0), coordinate(scene, &pair.1))
        }
    }
}
