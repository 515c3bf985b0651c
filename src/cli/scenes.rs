//! `maxdiss scenes`.

use crate::cli::Outcome;
use crate::cli::print;
use crate::error::Result;
use crate::scene::catalogue;
use clap::Args;

/// Lists the named scenes, a name a line first; with a name, prints the text of that scene.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  maxdiss scenes sliding-sphere > my-scene.toml")]
pub(super) struct Arguments {
    /// Scene whose text is printed, to begin a file of one's own with.
    name: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    if let Some(name) = &arguments.name {
        // Parsed first: an unknown name is told as everywhere.
        catalogue::scene(name, &[])?;
        print(catalogue::entry(name).expect("it was read above").text)?;
        return Ok(Outcome::Done);
    }
    let mut text = String::new();
    for entry in catalogue::ENTRIES {
        let scene = catalogue::scene(entry.name, &[])?;
        text.push_str(&format!("{:<20} {}\n", entry.name, scene.description));
    }
    print(&text)?;
    Ok(Outcome::Done)
}
