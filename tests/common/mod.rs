//! Small worlds that several tests share.
#![allow(dead_code)] // each test file uses some of it

use maxdiss::law::Law;
use maxdiss::material::MaterialId;
use maxdiss::material::Materials;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::Shape;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::simulation::StepRecord;
use maxdiss::solver::Status;
use maxdiss::world::Body;
use maxdiss::world::World;

/// The laws that a scene can be stepped under.
pub(crate) const LAWS: [Law; 5] = [Law::MaxDissipation, Law::Coulomb, Law::Cone, Law::Frictionless, Law::TwoStage];

/// How far the ledger may be off, by its largest term, after any step (the bound; round-off gives 1e-13).
pub(crate) const LEDGER_TOLERANCE: f64 = 1e-10;

/// The only material of these worlds.
pub(crate) const STUFF: MaterialId = MaterialId(0);

/// A world of one material.
pub(crate) fn world(gravity: Vec3, friction: f64, bodies: Vec<Body>) -> World {
    let materials = Materials::single(1.0, friction).expect("a valid material");
    World::new(gravity, materials, bodies).expect("a valid world")
}

/// Gravity of the given strength downwards.
pub(crate) fn down(g: f64) -> Vec3 {
    Vec3::new(0.0, 0.0, -g)
}

/// A fixed half-space below z = `height`.
pub(crate) fn floor(height: f64) -> Body {
    Body::new(Shape::HalfSpace, STUFF).at(Vec3::new(0.0, 0.0, height)).fixed()
}

/// A fixed half-space through the origin whose outward normal is `normal`.
pub(crate) fn wall(normal: Vec3) -> Body {
    let turn = Quat::rotation_between(&Vec3::z(), &normal)
        .unwrap_or_else(|| Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI));
    Body::new(Shape::HalfSpace, STUFF).turned(turn).fixed()
}

/// A free ball.
pub(crate) fn ball(radius: f64, position: Vec3) -> Body {
    Body::new(Shape::sphere(radius), STUFF).at(position)
}

/// A free cuboid with the given edges.
pub(crate) fn cuboid(x: f64, y: f64, z: f64, position: Vec3) -> Body {
    Body::new(Shape::cuboid(x, y, z), STUFF).at(position)
}

/// Settings whose solves are limited by round-off rather than by the tolerance.
pub(crate) fn exact(law: Law, dt: f64) -> Settings {
    Settings { tolerance: 1e-13, max_sweeps: 5000, ..Settings::new(law, dt) }
}

/// A simulation whose every step is held to the ledger.
pub(crate) struct Watched {
    pub(crate) sim: Simulation,
    /// Largest error of the ledger so far.
    pub(crate) ledger_error: f64,
    /// Steps that did not converge.
    pub(crate) unconverged: usize,
    name: String,
}

impl Watched {
    pub(crate) fn new(name: impl Into<String>, world: World, settings: Settings) -> Self {
        let sim = Simulation::new(world, settings).expect("valid settings");
        Self { sim, ledger_error: 0.0, unconverged: 0, name: name.into() }
    }

    /// One step; fails where the ledger does not close.
    pub(crate) fn step(&mut self) -> StepRecord {
        let record = self.sim.step();
        self.ledger_error = self.ledger_error.max(record.ledger_error);
        self.unconverged += usize::from(record.solve.report.status != Status::Converged);
        assert!(
            record.ledger_error <= LEDGER_TOLERANCE,
            "{}: ledger off by {:e} at step {}: {record:?}",
            self.name,
            record.ledger_error,
            record.step
        );
        record
    }

    /// Several steps; the record of the last.
    pub(crate) fn steps(&mut self, count: usize) -> StepRecord {
        assert!(count > 0);
        let mut last = None;
        for _ in 0..count {
            last = Some(self.step());
        }
        last.expect("at least one step")
    }

    pub(crate) fn position(&self, i: usize) -> Vec3 {
        self.sim.world().positions()[i]
    }

    pub(crate) fn velocity(&self, i: usize) -> Vec3 {
        self.sim.world().velocities()[i].linear
    }

    pub(crate) fn spin(&self, i: usize) -> Vec3 {
        self.sim.world().velocities()[i].angular
    }
}
