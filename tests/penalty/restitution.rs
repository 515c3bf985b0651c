//! The restitution of integrated impacts of sphere items, against the closed form; those of stops are in `integrators`.

use maxdiss::integrator::Integrator;
use maxdiss::integrator::Method;
use maxdiss::integrator::Settings;
use maxdiss::law::penalty::ImpactModel;
use maxdiss::law::penalty::effective_restitution;
use maxdiss::math::Vec3;
use maxdiss::penalty::Attachment;
use maxdiss::penalty::RigidBody;
use maxdiss::penalty::SphereSphere;
use maxdiss::penalty::SphereTorus;
use maxdiss::penalty::System;

const CLOSING: f64 = 1.5;

/// Sphere on free sphere, sphere in hollow sphere, sphere in torus: closing along x at [`CLOSING`], a millimetre apart.
fn systems(model: ImpactModel, e: f64, n: f64) -> Vec<(&'static str, System, f64)> {
    let ball = |x: f64, v: f64| RigidBody {
        velocity_w: Vec3::new(v, 0.0, 0.0),
        ..RigidBody::ball(1.0, 0.1, Vec3::new(x, 0.0, 0.0))
    };
    let stiffness = 1e5 * 100_f64.powf(n - 1.0);
    let spheres = |radii| SphereSphere {
        impact_model: model,
        restitution_coefficient: e,
        contact_stiffness_exponent: n,
        ..SphereSphere::new(radii, stiffness)
    };
    let expected = effective_restitution(&spheres([0.1, 0.1]).law().normal, CLOSING);

    let mut free = System::default();
    // Of masses 1 and 1, each with half of the closing speed.
    let (a, b) = (free.add_body(ball(0.0, 0.5 * CLOSING)), free.add_body(ball(0.201, -0.5 * CLOSING)));
    free.add_sphere_sphere(spheres([0.1, 0.1]), [Attachment::body(a), Attachment::body(b)]).unwrap();

    let mut hollow = System::default();
    let inside = hollow.add_body(ball(0.399, CLOSING));
    let item = SphereSphere { is_hollow_sphere_1: true, ..spheres([0.1, 0.5]) };
    hollow.add_sphere_sphere(item, [Attachment::body(inside), Attachment::ground(Vec3::zeros())]).unwrap();

    let mut torus = System::default();
    let inside = torus.add_body(ball(0.509, CLOSING));
    let item = SphereTorus {
        impact_model: model,
        restitution_coefficient: e,
        contact_stiffness_exponent: n,
        ..SphereTorus::new(0.1, [0.5, 0.11], Vec3::z(), stiffness)
    };
    torus.add_sphere_torus(item, [Attachment::body(inside), Attachment::ground(Vec3::zeros())]).unwrap();
    vec![
        ("two free spheres", free, expected),
        ("in a hollow sphere", hollow, expected),
        ("in a torus", torus, expected),
    ]
}

#[test]
fn sphere_items_rebound_with_the_effective_restitution_to_1e_6() {
    const TOLERANCE: f64 = 1e-6;
    for model in [ImpactModel::HuntCrossley, ImpactModel::Mixed] {
        for e in [0.9, 0.5, 0.2] {
            for exponent in [1.0, 1.5] {
                for (name, mut system, expected) in systems(model, e, exponent) {
                    let mut state = system.initial_state().unwrap();
                    let mut integrator = Integrator::new(Settings::new(Method::RungeKutta4, 1e-5)).unwrap();
                    while integrator.report().events < 2 {
                        let until = state.time + 1e-3;
                        integrator.advance(&mut system, &mut state, until).unwrap_or_else(|fault| panic!("{fault}"));
                        assert!(until < 1.0, "{name}: does not part");
                    }
                    let opening = if system.bodies().len() == 2 {
                        state.velocity[6] - state.velocity[0]
                    } else {
                        -state.velocity[0]
                    };
                    let off = (opening / CLOSING - expected).abs();
                    assert!(off < TOLERANCE, "{name}, {model:?} {e}, n = {exponent}: {opening} off by {off:e}");
                }
            }
        }
    }
}
