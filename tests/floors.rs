//! Holds `src` to the floors of the crate documentation: a module names only modules on strictly lower floors, and
//! each outside package stays with its owner.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// Modules and their floors, as in the table of `src/lib.rs`.
const FLOORS: &[(&str, u32)] = &[
    ("error", 0),
    ("math", 0),
    ("law", 1),
    ("shape", 1),
    ("material", 1),
    ("world", 2),
    ("problem", 2),
    ("figure", 2),
    ("collision", 3),
    ("integrator", 3),
    ("scene", 3),
    ("solver", 4),
    ("penalty", 4),
    ("simulation", 5),
    ("recorder", 6),
    ("analysis", 6),
    ("run", 7),
    ("experiment", 8),
    ("validate", 8),
    ("plot", 8),
    ("report", 8),
    ("cli", 9),
];

/// Outside packages (or parts of the standard library) and the only modules, or files, that may name them.
const OWNERS: &[(&str, &[&str])] = &[
    ("clarabel::", &["solver/cone_program.rs"]),
    ("plotters::", &["plot"]),
    ("resvg::", &["plot"]),
    ("svg2pdf::", &["plot"]),
    ("hdf5_pure::", &["problem/fclib.rs"]),
    ("clap::", &["cli", "main.rs"]),
    ("indicatif::", &["cli", "run"]),
    ("rayon::", &["collision", "solver", "penalty", "integrator", "simulation", "analysis", "experiment"]),
    ("std::fs", &["recorder", "analysis", "run", "experiment", "validate", "plot", "report", "cli"]),
    ("fs::File", &["recorder", "analysis", "run", "experiment", "validate", "plot", "report", "cli"]),
];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("src can be listed") {
        let path = entry.expect("src can be listed").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
    found.sort();
}

/// The code of a file without comment lines: comments and documentation may name any module.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

fn floor(module: &str) -> Option<u32> {
    FLOORS.iter().find(|(name, _)| *name == module).map(|(_, floor)| *floor)
}

/// Modules named as `crate::NAME` in the code, with repetitions.
fn named(code: &str) -> impl Iterator<Item = &str> {
    code.split("crate::")
        .skip(1)
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(""))
        .filter(|name| !name.is_empty())
}

/// Everything in `relative` (a path below `src`) that breaks the rules.
fn breaches(relative: &str, text: &str) -> Vec<String> {
    let code = code(text);
    let module = relative.split('/').next().unwrap_or("").trim_end_matches(".rs");
    let mut breaches = Vec::new();
    if module != "lib" && module != "main" {
        match floor(module) {
            None => breaches.push(format!("{relative}: module `{module}` has no floor; add it to the table")),
            Some(own) => {
                for name in named(&code) {
                    match floor(name) {
                        _ if name == module => {}
                        None => breaches.push(format!("{relative} names crate::{name}, which has no floor")),
                        Some(other) if other < own => {}
                        Some(other) => {
                            breaches.push(format!("{relative} (floor {own}) names crate::{name} (floor {other})"));
                        }
                    }
                }
            }
        }
    }
    for (package, owners) in OWNERS {
        let owned = owners.iter().any(|owner| module == *owner || relative == *owner);
        if code.contains(package) && !owned {
            breaches.push(format!("{relative} names {package}, which belongs to {}", owners.join(", ")));
        }
    }
    if code.contains("::*;") && !code.contains("use super::*;") {
        breaches.push(format!("{relative} imports by glob"));
    }
    breaches
}

#[test]
fn a_module_names_only_lower_floors_and_its_own_packages() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    assert!(files.len() > 5, "found only {} files below {}", files.len(), src.display());
    let mut all = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&src).expect("below src").to_string_lossy().replace('\\', "/");
        all.extend(breaches(&relative, &fs::read_to_string(&file).expect("source is text")));
    }
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

#[test]
fn the_test_sees_each_kind_of_breach() {
    let seen = |file: &str, text: &str| !breaches(file, text).is_empty();
    assert!(seen("law/cone.rs", "use crate::world::World;"), "upwards");
    assert!(seen("law/cone.rs", "use crate::shape::Shape;"), "sideways");
    assert!(seen("law/cone.rs", "use crate::nowhere::Thing;"), "unknown module");
    assert!(seen("nowhere.rs", ""), "module without a floor");
    assert!(seen("law/cone.rs", "let x = clarabel::solver();"), "package of another module");
    assert!(!seen("law/cone.rs", "// crate::world is above\nuse crate::math::Vec3;\nuse crate::law::Law;"), "fine");
    assert!(!seen("solver/cone_program.rs", "use clarabel::solver;"), "owner");
}
