//! The README holds what it promises: its commands run as they stand there, its scene file is a scene.

use maxdiss::law::Law;
use maxdiss::scene;
use maxdiss::simulation::build;
use std::fs;
use std::path::Path;

/// The fenced blocks of the README in `language`.
fn blocks(language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(path).expect("the README is there");
    let begin = format!("```{language}\n");
    readme.split(&begin).skip(1).filter_map(|rest| rest.split("```").next().map(str::to_owned)).collect()
}

#[cfg(unix)]
#[test]
fn every_command_of_the_tour_runs() {
    use std::process::Command;
    let dir = tempfile::tempdir().expect("a temporary directory");
    let program = Path::new(env!("CARGO_BIN_EXE_maxdiss")).parent().expect("in a directory");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let blocks = blocks("sh");
    let commands: Vec<&str> =
        blocks.iter().flat_map(|block| block.lines()).filter(|c| c.starts_with("maxdiss ")).collect();
    assert!(commands.len() >= 8, "only {} commands: {commands:?}", commands.len());
    for command in commands {
        // The experiments have tests of their own.
        if command.starts_with("maxdiss reproduce") {
            continue;
        }
        let output = Command::new("sh").arg("-c").arg(command).current_dir(dir.path()).env("PATH", &path).output();
        let output = output.expect("a shell starts");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}\n{told}");
    }
    for file in ["ball/frames.pvd", "ball/manifest.json", "pile/final.csv", "cube/compare.svg", "mixed/problem.hdf5"] {
        assert!(dir.path().join("tour").join(file).exists(), "tour/{file}");
    }
}

#[test]
fn the_scene_file_is_a_scene() {
    let blocks = blocks("toml");
    assert!(!blocks.is_empty());
    for text in blocks {
        let scene = scene::parse("README.md", &text, &[]).unwrap_or_else(|error| panic!("{error}"));
        build(&scene, Law::MaxDissipation, None).unwrap_or_else(|error| panic!("{error}"));
    }
}
