//! `maxdiss check`.

use crate::cli::Outcome;
use crate::cli::print;
use crate::cli::scene_argument;
use crate::error::Result;
use crate::law::Law;
use crate::recorder;
use crate::simulation::Events;
use crate::simulation::build;
use clap::Args;

/// Says all that is wrong with a scene; if nothing is, what it holds.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  maxdiss check sphere-pile")]
pub(super) struct Arguments {
    /// Scene file, or a name that `maxdiss scenes` lists.
    scene: String,
    /// A value in the place of the scene's; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let (scene, base) = scene_argument::load(&arguments.scene, &arguments.set)?;
    let initial = match &scene.initial {
        Some(initial) => Some(recorder::read_final(&base.join(&initial.from))?),
        None => None,
    };
    // What is checked does not depend on the law, except that contact items have one only.
    let law = if scene.contacts.is_empty() { Law::MaxDissipation } else { Law::Penalty };
    let built = build(&scene, law, initial.as_deref())?;
    let world = &built.world;
    let free = world.free().iter().filter(|free| **free).count();
    let mass: f64 = world.masses().iter().sum();
    let events = &scene.events;
    let poured: u64 = events.inlets.iter().map(|inlet| inlet.most(scene.duration)).sum();
    let happens = if built.events == Events::default() {
        String::new()
    } else {
        let (open, out, into) = (events.open.len(), events.outlets.len(), events.inlets.len());
        format!("openings: {open}, outlets: {out}, inlets: {into} (up to {poured} particles)\n")
    };
    print(&format!(
        "{}: nothing is wrong\n{} bodies, {free} of them free, {mass:.6} kg in all\n{happens}{} steps of {} s: {} s\n",
        scene.name,
        world.len(),
        scene.steps(),
        scene.step,
        scene.duration
    ))?;
    Ok(Outcome::Done)
}
