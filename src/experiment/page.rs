//! What is shown of an experiment: its figures, its README, and the index of all.

use crate::error::Result;
use crate::experiment::Experiment;
use crate::experiment::Tables;
use crate::experiment::setup;
use crate::figure::Figure;
use crate::figure::View;
use crate::figure::rounded;
use std::fmt::Write as _;

/// A statement of the paper's text and what the data say of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The statement, in short, and the section it stands in.
    pub statement: String,
    /// What was found.
    pub found: String,
}

/// A figure with its name and what it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Name of its files, without ending.
    pub name: String,
    /// Caption.
    pub caption: String,
    /// The figure.
    pub figure: Figure,
}

/// A picture of bodies in space with its name and what it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Name of its file, without ending.
    pub name: String,
    /// Caption.
    pub caption: String,
    /// What is seen.
    pub view: View,
}

/// All that is shown of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Presentation {
    /// Its figures.
    pub drawings: Vec<Drawing>,
    /// Its pictures.
    pub pictures: Vec<Picture>,
    /// How the experiment is done, in words.
    pub method: String,
    /// What was found, in two or three sentences made from the data; Markdown.
    pub finding: String,
    /// What would show the finding to be wrong.
    pub falsified_by: String,
    /// Statements of the paper that the data speak to.
    pub claims: Vec<Claim>,
}

impl Presentation {
    /// The same with one more figure.
    #[must_use]
    pub fn with_drawing(mut self, name: &str, caption: impl Into<String>, figure: Figure) -> Self {
        self.drawings.push(Drawing { name: name.into(), caption: caption.into(), figure });
        self
    }

    /// The same with one more picture.
    #[must_use]
    pub fn with_picture(mut self, name: &str, caption: impl Into<String>, view: View) -> Self {
        self.pictures.push(Picture { name: name.into(), caption: caption.into(), view });
        self
    }

    /// The same with one more statement of the paper.
    #[must_use]
    pub fn with_claim(mut self, statement: &str, found: impl Into<String>) -> Self {
        self.claims.push(Claim { statement: statement.into(), found: found.into() });
        self
    }

    /// The README of an experiment with these tables; `seconds` is the time that its cases took, each on one thread.
    ///
    /// # Errors
    ///
    /// If the tables have no set-up.
    pub fn readme(&self, experiment: &Experiment, tables: &Tables, seconds: Option<f64>) -> Result<String> {
        let set_up = tables.get("setup")?;
        let preset = setup::value(set_up, "preset")?;
        let mut text = format!("# {}\n\n{}\n", experiment.name, experiment.question);
        let mut section = |head: &str, body: &str| {
            let _ = write!(text, "\n## {head}\n\n{}\n", body.trim_end());
        };
        section("Finding", &self.finding);
        let mut figures = String::new();
        for Drawing { name, caption, .. } in &self.drawings {
            let _ = write!(figures, "![{name}]({name}.svg)\n\n{caption} ([PDF]({name}.pdf))\n\n");
        }
        for Picture { name, caption, .. } in &self.pictures {
            let _ = write!(figures, "![{name}]({name}.png)\n\n{caption}\n\n");
        }
        section("Figures", &figures);
        section(
            "Set-up",
            &format!(
                "{}\n\nThe paper's text at hand ends before its section 4; what it does not state is our choice \
                 (source \"ours\").\n\n{}",
                self.method,
                setup::markdown(set_up, 17)
            ),
        );
        section("What would falsify it", &self.falsified_by);
        let mut data = String::from("Numbers are in SI units, named in the header of each column.\n\n");
        for (name, table) in tables.iter() {
            let columns: Vec<_> = table.columns().iter().map(|column| column.name.as_str()).collect();
            let _ = writeln!(data, "- [`{name}.csv`]({name}.csv): {} rows; {}", table.rows(), columns.join(", "));
        }
        section("Data", &data);
        let command = format!("maxdiss reproduce {} --preset {preset}", experiment.name);
        let took = seconds.map_or(String::new(), |seconds| {
            format!(
                "\n\nThe cases took {} minutes of one thread together; an interrupted experiment goes on with those that are \
                 left.",
                rounded(seconds / 60.0, 2)
            )
        });
        section(
            "Command",
            &format!(
                "    {command}\n\nFigures and this text are drawn from the tables above; with `--force` the tables are \
                 computed again.{took}"
            ),
        );
        Ok(text)
    }
}

/// The README over all experiments that are there: what each asks, and what is found of the paper's statements.
pub fn index(shown: &[(Experiment, Presentation)]) -> String {
    let mut text = String::from(
        "# Results\n\nEach folder holds one experiment: data (CSV), figures (SVG, PDF) and a README with the question, the \
         set-up, the command, the finding and what would falsify it. All of it is written by `maxdiss reproduce`.\n\n\
         | experiment | question |\n|---|---|\n",
    );
    for (experiment, _) in shown {
        let _ = writeln!(text, "| [{0}]({0}/README.md) | {1} |", experiment.name, experiment.question);
    }
    text += "\n## What the paper states, and what is found here\n\nThe statements are those of sections 1 and 2 of *The \
             Maximum Dissipation Principle in Rigid-Body Dynamics with Purely Inelastic Impacts*, in short.\n\n\
             | statement | found | figure | in |\n|---|---|---|---|\n";
    for (experiment, presentation) in shown {
        for claim in &presentation.claims {
            let name = experiment.name;
            let figure = presentation
                .drawings
                .first()
                .map_or(String::new(), |drawing| format!("[{0}]({name}/{0}.svg)", drawing.name));
            let _ = writeln!(text, "| {} | {} | {figure} | [{name}]({name}/README.md) |", claim.statement, claim.found);
        }
    }
    text
}
