//! The stiffness that is derived for an inclined flow in periodic space.
//!
//! It was that of a fall along the whole cell: gravity has a component along the flow, and the extent of the cell along
//! it counted as height. A cell five times as long made contacts several times as stiff and sub-steps shorter, though
//! nothing leans or falls along a period. Heights are now measured across the periods.

use maxdiss::law::Law;
use maxdiss::scene;
use maxdiss::scene::catalogue;
use maxdiss::shape::Shape;
use maxdiss::simulation::Simulation;
use maxdiss::simulation::build;

/// The catalogue scene with as many layers of grains in a cell of these lengths in m.
fn chute(length: f64, width: f64, bottom: u32, grains: u32) -> Simulation {
    let mut text = catalogue::entry("periodic-chute").expect("in the catalogue").text.to_owned();
    for (from, to) in [
        ("x = 0.04".to_owned(), format!("x = {length}")),
        ("y = 0.02".to_owned(), format!("y = {width}")),
        ("max = [0.04, 0.02, 0.002]".to_owned(), format!("max = [{length}, {width}, 0.002]")),
        ("max = [0.04, 0.02, 0.03]".to_owned(), format!("max = [{length}, {width}, 0.03]")),
        ("count = 200".to_owned(), format!("count = {bottom}")),
        ("count = 600".to_owned(), format!("count = {grains}")),
    ] {
        assert!(text.contains(&from), "the scene has no \"{from}\"");
        text = text.replace(&from, &to);
    }
    let scene = scene::parse("chute.toml", &text, &[]).unwrap_or_else(|error| panic!("{error}"));
    build(&scene, Law::Penalty, None).unwrap_or_else(|error| panic!("{error}")).simulation().expect("valid")
}

fn stiffness(simulation: &Simulation) -> f64 {
    simulation.memory().compliant.as_ref().expect("derived at the start").laws[0].normal.stiffness
}

#[test]
fn the_stiffness_of_an_inclined_flow_does_not_depend_on_the_length_of_its_period() {
    // 3 by 3 grains a layer, five layers; then five times as long.
    let (short, long) = (chute(0.008, 0.008, 16, 45), chute(0.04, 0.008, 80, 225));
    let (short, long) = (stiffness(&short), stiffness(&long));
    println!("{short:e} N/m and {long:e} N/m");
    // Sizes are drawn at random from 0.9 to 1.1: the smallest and the heaviest differ a little, and a row may differ.
    assert!((short / long - 1.0).abs() < 0.25, "{short:e} N/m and {long:e} N/m");
}

#[test]
fn overlaps_of_an_inclined_flow_stay_below_a_thousandth_of_the_smallest_grain() {
    let mut run = chute(0.008, 0.008, 16, 45);
    let free = |i: &usize| run.world().is_free(*i);
    let smallest = (0..run.world().len())
        .filter(free)
        .map(|i| match run.world().shapes()[i] {
            Shape::Sphere { radius } => 2.0 * radius,
            _ => panic!("grains are balls"),
        })
        .fold(f64::INFINITY, f64::min);
    let (mut overlap, mut contacts) = (0.0_f64, 0);
    // They fall 2 mm at most, which takes 0.02 s, and run down for as long again.
    for _ in 0..80 {
        let record = run.step();
        overlap = overlap.max(record.overlap);
        contacts = contacts.max(record.contacts);
    }
    println!(
        "{}; overlap {:e} of the smallest",
        run.memory().compliant.as_ref().unwrap().summary(),
        overlap / smallest
    );
    assert!(contacts >= 9, "only {contacts} contacts at once: not even a layer has come down");
    assert!(overlap < 1e-3 * smallest, "overlap {overlap:e} m of {smallest:e} m");
}
