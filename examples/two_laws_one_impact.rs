//! One slanting box hits a floor on its corner: maximum dissipation takes more energy than Coulomb's law.

use maxdiss::error::Error;
use maxdiss::law::Law;
use maxdiss::material::MaterialId;
use maxdiss::material::Materials;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::Shape;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::world::Body;
use maxdiss::world::World;

pub(crate) fn main() -> Result<(), Error> {
    let stuff = MaterialId(0);
    let slab = Shape::cuboid(1.0, 2.0, 0.3);
    let turn = Quat::from_euler_angles(0.6, 0.5, 0.3);
    // Down to where the lowest corner touches the floor at z = 0.
    let reach = slab.aabb(&turn).max.z;
    let mut dissipated = Vec::new();
    for law in [Law::MaxDissipation, Law::Coulomb] {
        let materials = Materials::single(1000.0, 0.3).map_err(Error::Input)?;
        let bodies = vec![
            Body::new(slab.clone(), stuff)
                .at(Vec3::new(0.0, 0.0, reach))
                .turned(turn)
                .moving(Vec3::new(3.0, 0.5, -4.0), Vec3::new(0.0, 1.0, 0.5)),
            Body::new(Shape::HalfSpace, stuff).fixed(),
        ];
        let world = World::new(Vec3::zeros(), materials, bodies)?;
        let mut sim = Simulation::new(world, Settings::new(law, 1e-6))?;
        let before = sim.memory().ledger.kinetic;
        let record = sim.step();
        let v = sim.world().velocities()[0];
        println!("{law}: {:.4} J of {before:.1} J dissipated", before - record.kinetic);
        println!("    v = {:.4?} m/s, ω = {:.4?} rad/s", v.linear.as_slice(), v.angular.as_slice());
        dissipated.push(before - record.kinetic);
    }
    assert!(dissipated[0] > dissipated[1]);
    Ok(())
}
