//! Names of a scene's entries: each is given once, and what refers to one has to find it.

use crate::scene::fields::Fields;
use crate::scene::fields::nearest;
use std::collections::BTreeSet;

/// Names given so far.
pub(super) struct Names {
    pub(super) materials: Vec<String>,
    pub(super) taken: BTreeSet<String>,
    pub(super) lines: Vec<(String, usize)>,
}

impl Names {
    /// Notes where a table stands and takes its name, which must be new.
    pub(super) fn take(&mut self, fields: &Fields<'_, '_>, default: String) -> String {
        if let Some(line) = fields.source.line(fields.span.start) {
            self.lines.push((fields.path.clone(), line));
        }
        let name = fields.text("name").map_or(default, str::to_owned);
        if name.is_empty() || name.chars().count() > 64 || name.chars().any(char::is_control) {
            fields.fault(
                "name",
                format!("\"{}\" is no name", name.escape_debug()),
                "give 1 to 64 printable characters",
            );
        } else if !self.taken.insert(name.clone()) {
            fields.fault("name", format!("\"{name}\" is taken"), "give every body, wall and fill a name of its own");
        }
        name
    }

    /// Reads `material`, which has to be known; the only one if not given.
    pub(super) fn material(&self, fields: &Fields<'_, '_>) -> String {
        match (fields.text("material"), &self.materials[..]) {
            (Some(name), known) => {
                self.check_material(fields, "material", name, known);
                name.to_owned()
            }
            (None, [only]) => only.clone(),
            // Without any material that is told once, at `materials`.
            (None, []) => String::new(),
            (None, known) => {
                if !fields.has("material") {
                    fields.fault("material", "missing", format!("give one of {}", known.join(", ")));
                }
                String::new()
            }
        }
    }

    pub(super) fn check_material(&self, fields: &Fields<'_, '_>, key: &str, name: &str, known: &[String]) {
        if !known.iter().any(|material| material == name) && !known.is_empty() {
            let near = nearest(name, known.iter().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
            let remedy = format!("{near}the materials are {}; or add [materials.{name}]", known.join(", "));
            fields.fault(key, format!("no material \"{name}\""), remedy);
        }
    }
}
