//! A ball thrown flat over a floor slides, then rolls at 5/7 of its first speed.

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
    let (v0, mu, g) = (5.0, 0.2, 10.0);
    let stuff = MaterialId(0);
    let materials = Materials::single(1.0, mu).map_err(Error::Input)?;
    let ball = Body::new(Shape::sphere(1.0), stuff).at(Vec3::new(0.0, 0.0, 1.0));
    let bodies = vec![
        ball.moving(Vec3::new(v0, 0.0, 0.0), Vec3::zeros()).named("ball"),
        Body::new(Shape::HalfSpace, stuff).fixed().named("floor"),
    ];
    let world = World::new(Vec3::new(0.0, 0.0, -g), materials, bodies)?;
    let mut sim = Simulation::new(world, Settings::new(Law::MaxDissipation, 1e-3))?;

    let mut rolling = None;
    while sim.memory().time < 1.0 {
        let record = sim.step();
        if record.sticking > 0 && rolling.is_none() {
            rolling = Some((record.time, sim.world().positions()[0].x));
        }
    }
    let v = sim.world().velocities()[0].linear.x;
    println!("speed     {v:.4} m/s   5/7 v0 = {:.4}", 5.0 / 7.0 * v0);
    assert!((v - 5.0 / 7.0 * v0).abs() < 1e-2);
    if let Some((time, x)) = rolling {
        println!("rolls at  {time:.4} s     2v0/(7μg) = {:.4}", 2.0 * v0 / (7.0 * mu * g));
        println!("      at  {x:.4} m     12v0²/(49μg) = {:.4}", 12.0 * v0 * v0 / (49.0 * mu * g));
    }
    println!("friction  {:.4} J", sim.memory().ledger.total.friction);
    Ok(())
}
