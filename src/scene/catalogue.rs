//! The named scenes: one place for tests, benches, examples and the command line.

use crate::error::Error;
use crate::error::Result;
use crate::scene::decode::parse;
use crate::scene::description::Scene;
use crate::scene::fields::nearest;

/// A named scene of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its text, a scene file.
    pub text: &'static str,
}

macro_rules! entries {
    ($($name:literal),+ $(,)?) => {
        &[$(Entry { name: $name, text: include_str!(concat!("catalogue/", $name, ".toml")) }),+]
    };
}

/// All named scenes, from a single contact to many.
pub const ENTRIES: &[Entry] = entries![
    "sliding-sphere",
    "sphere-on-incline",
    "block-on-incline",
    "cube-thrown-flat",
    "rotated-box",
    "head-on-spheres",
    "inelastic-chain",
    "turntable",
    "box-stack",
    "sphere-stack",
    "sphere-pile",
    "mixed-pile",
    "column-collapse",
    "snowman",
    "ball-bearing",
    "capsules-in-cylinder",
    "capsule-collapse",
    "polydisperse-pour",
    "hopper",
    "rotating-drum",
    "shaker",
    "periodic-chute",
    "silo",
    "ball-on-sphere",
    "ball-in-groove",
    "mass-on-stop",
];

/// The entry called `name`.
pub fn entry(name: &str) -> Option<Entry> {
    ENTRIES.iter().copied().find(|entry| entry.name == name)
}

/// The scene called `name`, with the `KEY=VALUE` of `overrides` in the place of its own values.
///
/// # Errors
///
/// If there is no such scene, or a value of `overrides` is wrong.
///
/// ```
/// let scene = maxdiss::scene::catalogue::scene("sliding-sphere", &["duration=0.5".into()])?;
/// assert_eq!(scene.bodies[0].name, "ball");
/// # Ok::<(), maxdiss::error::Error>(())
/// ```
pub fn scene(name: &str, overrides: &[String]) -> Result<Scene> {
    let Some(entry) = entry(name) else {
        let near = nearest(name, ENTRIES.iter().map(|entry| entry.name));
        let near = near.map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
        let remedy = format!("{near}`maxdiss scenes` lists the catalogue; a scene file ends in .toml");
        return Err(Error::input("", format!("no scene \"{name}\""), remedy));
    };
    parse(&format!("catalogue scene {name}"), entry.text, overrides)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_of_the_catalogue_reads_and_bears_its_name() {
        for entry in ENTRIES {
            let scene = scene(entry.name, &[]).unwrap_or_else(|error| panic!("{}:\n{error}", entry.name));
            assert_eq!(scene.name, entry.name);
            assert!(!scene.description.is_empty(), "{} says nothing of itself", entry.name);
            assert!(scene.body_count() >= 2 || !scene.contacts.is_empty(), "{}", entry.name);
        }
    }

    #[test]
    fn an_unknown_scene_suggests_the_nearest() {
        let message = scene("slidingsphere", &[]).expect_err("no such scene").to_string();
        assert!(message.contains("did you mean \"sliding-sphere\""), "{message}");
    }
}
