//! How far each body can make contacts, and which layer it belongs to.

use crate::collision::Geometry;
use crate::collision::Margin;
use crate::collision::geometry::SIZE_SHARE;

/// Bodies that are larger than all the rest by a power of two and not more than this are tried against every body,
/// which is cheaper than a layer of their own.
const FEW: usize = 16;
/// Bound on the layers: sizes below the largest by more than 2^30 share the last one.
const MOST_LAYERS: usize = 31;
/// Distances and cell numbers are rounded; this keeps a pair that is just within the margin from being lost.
const ROUND_OFF: f64 = 1.0 + 1e-9;
/// Marks a wall in the list of layers.
const WALL: u8 = u8::MAX;

/// Reach of each body, in m, and its layer.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// ρ = R + m with m_i + m_j ≥ margin of the pair: m = max(share/2 · size, travel), or half the fixed margin.
    near: Vec<f64>,
    /// R + 2 m: reach towards a wall, whose own share is its travel alone.
    wall: Vec<f64>,
    layer: Vec<u8>,
    /// Largest reach in each layer.
    largest: Vec<f64>,
    walls: Vec<u32>,
}

impl Reach {
    pub(crate) fn measure(&mut self, geometry: Geometry<'_>, margin: Margin) {
        self.near.clear();
        self.wall.clear();
        for (shape, travel) in geometry.shapes.iter().zip(geometry.travel) {
            let radius = shape.bounding_radius();
            let share = match margin {
                Margin::Travel => (SIZE_SHARE * radius).max(*travel),
                Margin::Fixed(margin) => 0.5 * margin,
            };
            self.near.push((radius + share) * ROUND_OFF);
            self.wall.push((radius + 2.0 * share) * ROUND_OFF);
        }
        self.sort_out();
    }

    /// Sets the walls apart and gives every other body its layer.
    fn sort_out(&mut self) {
        // Bodies by the binary exponent of their reach.
        let mut histogram = [0usize; 2048];
        let exponent = |reach: f64| (reach.to_bits() >> 52 & 0x7ff) as usize;
        for reach in &self.near {
            histogram[exponent(*reach)] += 1;
        }
        // Exponent 2047 is infinity. From the largest down, as long as there are few.
        let mut few = 0;
        let mut first_wall = 2047;
        for e in (0..2047).rev() {
            few += histogram[e];
            if few > FEW {
                break;
            }
            first_wall = e;
        }
        self.walls.clear();
        let mut largest: f64 = 0.0;
        for (i, reach) in self.near.iter().enumerate() {
            if exponent(*reach) >= first_wall {
                self.walls.push(i as u32);
            } else {
                largest = largest.max(*reach);
            }
        }
        // Layers count down from the largest body, so that equal sizes, whatever they are, share one.
        self.layer.clear();
        self.largest.clear();
        for reach in &self.near {
            if exponent(*reach) >= first_wall {
                self.layer.push(WALL);
                continue;
            }
            let mut bound = 0.5 * largest;
            let mut layer = 0;
            while *reach <= bound && layer + 1 < MOST_LAYERS {
                bound *= 0.5;
                layer += 1;
            }
            if self.largest.len() <= layer {
                self.largest.resize(layer + 1, 0.0);
            }
            self.largest[layer] = self.largest[layer].max(*reach);
            self.layer.push(layer as u8);
        }
    }

    pub(crate) fn near(&self) -> &[f64] {
        &self.near
    }

    pub(crate) fn wall(&self) -> &[f64] {
        &self.wall
    }

    /// Number of layers; a layer may be empty.
    pub(crate) fn layers(&self) -> usize {
        self.largest.len()
    }

    /// Largest reach in a layer; zero if it is empty.
    pub(crate) fn largest(&self, layer: usize) -> f64 {
        self.largest[layer]
    }

    /// The bodies of a layer, in order.
    pub(crate) fn members(&self, layer: usize) -> impl Iterator<Item = u32> {
        self.layer.iter().enumerate().filter(move |(_, own)| **own == layer as u8).map(|(i, _)| i as u32)
    }

    /// Whether body `i` is a wall.
    pub(crate) fn is_wall(&self, i: u32) -> bool {
        self.layer[i as usize] == WALL
    }

    /// The bodies that are tried against all others.
    pub(crate) fn walls(&self) -> &[u32] {
        &self.walls
    }
}
