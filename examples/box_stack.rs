//! Five boxes stand on each other; the force below each is the weight of those above.

use maxdiss::error::Error;
use maxdiss::law::Law;
use maxdiss::material::MaterialId;
use maxdiss::material::Materials;
use maxdiss::math::Vec3;
use maxdiss::shape::Shape;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::world::Body;
use maxdiss::world::World;

pub(crate) fn main() -> Result<(), Error> {
    let (n, g, dt) = (5, 9.81, 2e-3);
    let stuff = MaterialId(0);
    let materials = Materials::single(500.0, 0.6).map_err(Error::Input)?;
    let mut bodies = vec![Body::new(Shape::HalfSpace, stuff).fixed().named("floor")];
    for k in 0..n {
        let height = 0.1 * (f64::from(k) + 0.5);
        bodies.push(Body::new(Shape::cuboid(0.2, 0.2, 0.1), stuff).at(Vec3::new(0.0, 0.0, height)));
    }
    let world = World::new(Vec3::new(0.0, 0.0, -g), materials, bodies)?;
    let settings = Settings { tolerance: 1e-6, max_sweeps: 1000, ..Settings::new(Law::MaxDissipation, dt) };
    let mut sim = Simulation::new(world, settings)?;

    let mut record = sim.step();
    while record.time < 1.0 {
        record = sim.step();
    }
    let mass = sim.world().masses()[1];
    for k in 1..=n as usize {
        // What box k gets from below: the net contact forces of this box and all above it.
        let force: f64 = (k..=n as usize).map(|i| sim.contact_force(i).z).sum();
        let weight = (n as usize + 1 - k) as f64 * mass * g;
        println!("below box {k:2}: {force:7.2} N   weight above {weight:7.2} N");
        assert!((force - weight).abs() < 0.01 * weight);
    }
    println!("largest overlap {:.1e} m, kinetic energy {:.1e} J", record.overlap, record.kinetic);
    Ok(())
}
