//! The materials of a world and the coefficient of friction of each pair.

use crate::error::Fault;

/// Which material: the index of its entry in [`Materials`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, serde::Serialize, serde::Deserialize)]
pub struct MaterialId(pub u32);

/// What a body is made of.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Material {
    /// Density in kg/m³; a body whose mass is not given takes it from here.
    pub density: f64,
    /// Coefficient of friction μ against the same material.
    pub friction: f64,
}

/// Friction of one pair of materials that does not follow the rule of [`Materials::friction`].
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Friction {
    /// One of the two.
    pub a: MaterialId,
    /// The other.
    pub b: MaterialId,
    /// Coefficient of friction μ between them.
    pub friction: f64,
}

/// The materials of a world, with the friction of each pair.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Materials {
    list: Vec<Material>,
    pairs: Vec<Friction>,
    /// μ of each pair, row by row: looked up once a contact and step.
    table: Vec<f64>,
}

impl Materials {
    /// The table for `list`, with `pairs` that override the rule of [`Materials::friction`]; the last of two entries
    /// for one pair counts.
    ///
    /// # Errors
    ///
    /// Every fault found: a density that is not positive, a negative μ, NaN or infinity, a pair without its materials.
    pub fn new(list: Vec<Material>, pairs: Vec<Friction>) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        for (i, material) in list.iter().enumerate() {
            if !(material.density > 0.0 && material.density.is_finite()) {
                let what = format!("density {} kg/m³", material.density);
                faults.push(Fault::new(format!("materials[{i}].density"), what, "a finite density above zero"));
            }
            check_friction(&format!("materials[{i}].friction"), material.friction, &mut faults);
        }
        for (i, pair) in pairs.iter().enumerate() {
            check_friction(&format!("pairs[{i}].friction"), pair.friction, &mut faults);
            for id in [pair.a, pair.b] {
                if id.0 as usize >= list.len() {
                    let what = format!("material {} of {}", id.0, list.len());
                    faults.push(Fault::new(format!("pairs[{i}]"), what, "the index of a material"));
                }
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let n = list.len();
        let mut table = Vec::with_capacity(n * n);
        for a in &list {
            table.extend(list.iter().map(|b| a.friction.min(b.friction)));
        }
        for pair in &pairs {
            let (a, b) = (pair.a.0 as usize, pair.b.0 as usize);
            table[a * n + b] = pair.friction;
            table[b * n + a] = pair.friction;
        }
        Ok(Self { list, pairs, table })
    }

    /// A table with one material.
    ///
    /// # Errors
    ///
    /// As [`Materials::new`].
    pub fn single(density: f64, friction: f64) -> Result<Self, Vec<Fault>> {
        Self::new(vec![Material { density, friction }], Vec::new())
    }

    /// μ between two materials: that of their pair where one is given, otherwise the smaller of the two (the weaker
    /// surface slips first).
    #[inline]
    pub fn friction(&self, a: MaterialId, b: MaterialId) -> f64 {
        self.table[a.0 as usize * self.list.len() + b.0 as usize]
    }

    /// The largest μ of any pair.
    pub fn largest_friction(&self) -> f64 {
        self.table.iter().copied().fold(0.0, f64::max)
    }

    /// The materials in order.
    pub fn list(&self) -> &[Material] {
        &self.list
    }

    /// The pairs that override the rule.
    pub fn pairs(&self) -> &[Friction] {
        &self.pairs
    }
}

fn check_friction(key: &str, friction: f64, faults: &mut Vec<Fault>) {
    if !(friction >= 0.0 && friction.is_finite()) {
        faults.push(Fault::new(key, format!("coefficient of friction {friction}"), "a finite value of zero or more"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEEL: Material = Material { density: 7800.0, friction: 0.5 };
    const ICE: Material = Material { density: 900.0, friction: 0.02 };

    #[test]
    #[allow(clippy::float_cmp)] // stored and looked up, not computed
    fn the_weaker_surface_slips_first_unless_the_pair_says_otherwise() {
        let (steel, ice) = (MaterialId(0), MaterialId(1));
        let plain = Materials::new(vec![STEEL, ICE], Vec::new()).expect("valid");
        assert_eq!(plain.friction(steel, ice), 0.02);
        assert_eq!(plain.friction(steel, steel), 0.5);
        let pair = Friction { a: ice, b: steel, friction: 0.1 };
        let told = Materials::new(vec![STEEL, ICE], vec![pair]).expect("valid");
        assert_eq!(told.friction(steel, ice), 0.1);
        assert_eq!(told.friction(ice, steel), 0.1);
        assert_eq!(told.friction(ice, ice), 0.02);
    }

    #[test]
    fn every_fault_of_a_table_is_named_at_once() {
        let list = vec![Material { density: -1.0, friction: f64::NAN }];
        let pairs = vec![Friction { a: MaterialId(0), b: MaterialId(7), friction: -0.1 }];
        let faults = Materials::new(list, pairs).expect_err("four faults");
        let keys: Vec<_> = faults.iter().map(|fault| fault.key.as_str()).collect();
        assert_eq!(keys, ["materials[0].density", "materials[0].friction", "pairs[0].friction", "pairs[0]"]);
    }
}
