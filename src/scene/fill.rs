//! Many particles at once: what is filled in, how large, how many, where.

use crate::math::Vec3;
use crate::scene::fields::Fields;
use crate::scene::fields::Rule;
use crate::shape::Shape;

/// `[[fill]]`: particles that do not overlap each other nor anything that is there before them.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Fill {
    /// Name; the particles are called `NAME-1`, `NAME-2`, …; default `fill-1`, … in the order of the file.
    pub name: String,
    /// Shape of a particle of size 1; lengths in m.
    pub shape: Shape,
    /// Distribution of the size, a factor on every length of the shape; default: all of size 1.
    pub size: Size,
    /// Material, by name; may be left out where the scene has only one.
    pub material: String,
    /// Number of particles; default: as many as find room.
    pub count: Option<u64>,
    /// Where: a particle lies in the region as a whole.
    pub region: Region,
    /// `"random"` (default) or `"grid"`.
    pub arrangement: Arrangement,
    /// Smallest distance between the particles' bounding spheres, and to everything else, in m; default 0.
    pub spacing: f64,
    /// Seed of the random numbers; default 1. The same seed gives the same particles on every machine.
    pub seed: u64,
    /// Whether the particles are turned at random; default true.
    pub random_orientation: bool,
    /// Mean velocity in m/s; default 0.
    pub velocity: Vec3,
    /// Standard deviation of each component of the velocity in m/s; default 0.
    pub velocity_spread: f64,
    /// Whether the particles do not move, as those glued to a rough bottom; default false.
    pub fixed: bool,
}

/// How the particles of a fill are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrangement {
    /// Independent random places, one particle after the other; fills up to about a third of the volume.
    Random,
    /// The sites of a cubic grid that fits the largest particle, from below, each moved at random within its cell.
    Grid,
}

/// Distribution of the size of particles, a factor on all lengths of the shape.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Size {
    /// All of one size.
    Constant {
        /// The size.
        value: f64,
    },
    /// Equally likely between `min` and `max`.
    Uniform {
        /// Smallest size.
        min: f64,
        /// Largest size.
        max: f64,
    },
    /// Normal, cut off at `min` and `max`.
    Normal {
        /// Mean before the cut.
        mean: f64,
        /// Standard deviation before the cut.
        deviation: f64,
        /// Smallest size; default: mean − 3 deviations.
        min: f64,
        /// Largest size; default: mean + 3 deviations.
        max: f64,
    },
    /// Log-normal, cut off at `min` and `max`.
    LogNormal {
        /// Median before the cut.
        median: f64,
        /// Standard deviation of the logarithm.
        sigma: f64,
        /// Smallest size; default: median · exp(−3σ).
        min: f64,
        /// Largest size; default: median · exp(3σ).
        max: f64,
    },
    /// One of the values, as often as its weight says.
    Listed {
        /// The sizes.
        values: Vec<f64>,
        /// How often each comes, relative to their sum; default: all alike.
        weights: Vec<f64>,
    },
}

/// A part of space; lengths in m.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Region {
    /// `{ kind = "box", min = [x, y, z], max = [x, y, z] }`.
    Box {
        /// Lower corner.
        min: Vec3,
        /// Upper corner.
        max: Vec3,
    },
    /// `{ kind = "cylinder", base = [x, y, z], axis = [0, 0, 1], radius = r, height = h }`.
    Cylinder {
        /// Centre of the lower end.
        base: Vec3,
        /// Direction of the axis; default +z.
        axis: Vec3,
        /// Radius.
        radius: f64,
        /// Length along the axis.
        height: f64,
    },
    /// `{ kind = "sphere", center = [x, y, z], radius = r }`.
    Sphere {
        /// Centre.
        center: Vec3,
        /// Radius.
        radius: f64,
    },
}

impl Fill {
    /// The most particles that the fill can come to: its count, or the densest packing of its smallest particles.
    pub fn most(&self) -> u64 {
        self.count.unwrap_or_else(|| {
            let volume = self.shape.volume() * self.size.bounds().0.powi(3);
            // Saturates: a NaN after a fault is 0, a huge ratio the largest number.
            (self.region.volume() / volume) as u64
        })
    }
}

impl Size {
    /// The smallest and the largest size that can come.
    pub fn bounds(&self) -> (f64, f64) {
        match self {
            Self::Constant { value } => (*value, *value),
            Self::Uniform { min, max } | Self::Normal { min, max, .. } | Self::LogNormal { min, max, .. } => {
                (*min, *max)
            }
            Self::Listed { values, .. } => {
                values.iter().fold((f64::INFINITY, 0.0), |(low, high), value| (value.min(low), value.max(high)))
            }
        }
    }

    /// Reads `size = { kind = …, … }`.
    pub(super) fn read(fields: &Fields<'_, '_>) -> Self {
        const KINDS: [&str; 5] = ["constant", "uniform", "normal", "log-normal", "listed"];
        let Some(table) = fields.table("size") else {
            return Self::Constant { value: 1.0 };
        };
        let need = |key, unit| table.need_number(key, Rule::Positive, unit);
        let size = match table.kind(&KINDS) {
            Some(0) => Self::Constant { value: need("value", "the size, a factor on all lengths") },
            Some(1) => Self::Uniform { min: need("min", "the smallest size"), max: need("max", "the largest size") },
            Some(2) => {
                let (mean, deviation) = (need("mean", "the mean size"), need("deviation", "the standard deviation"));
                let min = table.number("min", Rule::Positive).unwrap_or(mean - 3.0 * deviation);
                let max = table.number("max", Rule::Positive).unwrap_or(mean + 3.0 * deviation);
                if min <= 0.0 {
                    table.fault("min", format!("mean − 3 deviations is {min}"), "give `min`, a size above zero");
                }
                Self::Normal { mean, deviation, min, max }
            }
            Some(3) => {
                let (median, sigma) =
                    (need("median", "the median size"), need("sigma", "the deviation of the logarithm"));
                let min = table.number("min", Rule::Positive).unwrap_or(median * (-3.0 * sigma).exp());
                let max = table.number("max", Rule::Positive).unwrap_or(median * (3.0 * sigma).exp());
                Self::LogNormal { median, sigma, min, max }
            }
            Some(_) => {
                let values = table.list("values", Rule::Positive).unwrap_or_default();
                if values.is_empty() {
                    table.fault("values", "no sizes are given", "give a list of sizes above zero");
                }
                let weights = table.list("weights", Rule::NotNegative).unwrap_or_else(|| vec![1.0; values.len()]);
                if weights.len() != values.len() || weights.iter().sum::<f64>() <= 0.0 {
                    let what = format!("{} weights for {} sizes", weights.len(), values.len());
                    table.fault("weights", what, "give one weight of zero or more for each size, not all zero");
                }
                Self::Listed { values, weights }
            }
            None => Self::Constant { value: 1.0 },
        };
        let (min, max) = size.bounds();
        if min > max {
            table.fault("min", format!("the smallest size {min} is above the largest {max}"), "swap them");
        }
        if let Self::Normal { mean: middle, .. } | Self::LogNormal { median: middle, .. } = size
            && (middle < min || middle > max)
        {
            // Draws outside are thrown away: far from the middle that would never end.
            let what = format!("the middle {middle} is not between the bounds {min} and {max}");
            table.fault("min", what, "choose bounds on both sides of it");
        }
        table.finish();
        size
    }
}

impl Region {
    /// Volume in m³.
    pub fn volume(&self) -> f64 {
        use std::f64::consts::PI;
        match self {
            Self::Box { min, max } => (max - min).product(),
            Self::Cylinder { radius, height, .. } => PI * radius * radius * height,
            Self::Sphere { radius, .. } => 4.0 / 3.0 * PI * radius.powi(3),
        }
    }

    /// Whether a ball lies inside as a whole.
    pub fn holds(&self, center: &Vec3, radius: f64) -> bool {
        match self {
            Self::Box { min, max } => (0..3).all(|k| center[k] - radius >= min[k] && center[k] + radius <= max[k]),
            Self::Cylinder { base, axis, radius: outer, height } => {
                let from_base = center - base;
                let along = from_base.dot(axis);
                let across = (from_base - axis * along).norm();
                along - radius >= 0.0 && along + radius <= *height && across + radius <= *outer
            }
            Self::Sphere { center: middle, radius: outer } => (center - middle).norm() + radius <= *outer,
        }
    }

    /// Lower and upper corner of the axis-parallel box around the region.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        match self {
            Self::Box { min, max } => (*min, *max),
            Self::Cylinder { base, axis, radius, height } => {
                let top = base + axis * *height;
                let reach = axis.map(|a| radius * (1.0 - a * a).max(0.0).sqrt());
                (base.inf(&top) - reach, base.sup(&top) + reach)
            }
            Self::Sphere { center, radius } => (center.add_scalar(-radius), center.add_scalar(*radius)),
        }
    }

    /// Reads `KEY = { kind = …, … }`, which has to be there.
    pub(super) fn read(fields: &Fields<'_, '_>, key: &'static str) -> Self {
        const KINDS: [&str; 3] = ["box", "cylinder", "sphere"];
        let nothing = Self::Sphere { center: Vec3::zeros(), radius: f64::NAN };
        let Some(table) = fields.table(key) else {
            if !fields.has(key) {
                fields.fault(
                    key,
                    "missing",
                    "give a table such as { kind = \"box\", min = [0, 0, 0], max = [1, 1, 1] }",
                );
            }
            return nothing;
        };
        let point = |key| {
            table.vector(key, Rule::Finite).unwrap_or_else(|| {
                if !table.has(key) {
                    table.fault(key, "missing", "give a point [x, y, z] in m");
                }
                Vec3::repeat(f64::NAN)
            })
        };
        let region = match table.kind(&KINDS) {
            Some(0) => {
                let (min, max) = (point("min"), point("max"));
                if let Some(k) = (0..3).find(|k| min[*k] >= max[*k]) {
                    let what = format!("min {} is not below max {} along {}", min[k], max[k], ["x", "y", "z"][k]);
                    table.fault("min", what, "give the lower corner as min, the upper one as max");
                }
                Self::Box { min, max }
            }
            Some(1) => Self::Cylinder {
                base: point("base"),
                axis: table.direction("axis").unwrap_or_else(Vec3::z),
                radius: table.need_number("radius", Rule::Positive, "the radius in m"),
                height: table.need_number("height", Rule::Positive, "the length along the axis in m"),
            },
            Some(_) => Self::Sphere {
                center: point("center"),
                radius: table.need_number("radius", Rule::Positive, "the radius in m"),
            },
            None => return nothing,
        };
        table.finish();
        region
    }
}
