//! Coarse-grained fields: each cell averages over the parts of bodies and of branches between them that lie in it.
//!
//! ```text
//! φ   = Σ V_i / V                         volume fraction
//! u   = Σ m_i v_i / Σ m_i                 velocity in m/s
//! T   = Σ m_i ‖v_i − u‖² / (3 Σ m_i)      granular temperature in m²/s²
//! σᵏ  = Σ m_i (v_i − u)⊗(v_i − u) / V     stress of the fluctuations in Pa
//! σᶜ  = −Σ r ⊗ F / V                      stress of the contacts in Pa  [Goldhirsch 2010]
//! ```
//!
//! with V_i, m_i the part of body i in the cell, v_i the velocity of its centre, r the branch from the centre of a free body
//! to its contact, of which the part in the cell counts, and F = Λ/δt the force there. Both stresses are positive in
//! compression. Sums run over frames; a cell that the mean velocity varies across takes the variation for temperature.

use crate::analysis::Grid;
use crate::analysis::spread;
use crate::collision::Contact;
use crate::math::Mat3;
use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::Shape;
use crate::world::Velocity;
use crate::world::World;

/// Pieces of equal length into which a branch is cut.
const PIECES: usize = 16;

/// The bodies of a frame, one entry a body in each slice.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a> {
    /// Shapes in the body frames.
    pub shapes: &'a [Shape],
    /// Centres of mass in m.
    pub positions: &'a [Vec3],
    /// Orientations.
    pub orientations: &'a [Quat],
    /// Velocities.
    pub velocities: &'a [Velocity],
    /// Masses in kg.
    pub masses: &'a [f64],
    /// Whether each body is free; the others are left out.
    pub free: &'a [bool],
}

impl<'a> Bodies<'a> {
    /// The bodies of a world.
    pub fn of(world: &'a World) -> Self {
        Self {
            shapes: world.shapes(),
            positions: world.positions(),
            orientations: world.orientations(),
            velocities: world.velocities(),
            masses: world.masses(),
            free: world.free(),
        }
    }
}

/// Sums in each cell of a grid over frames, and the fields made from them.
#[derive(Clone, Debug)]
pub struct Fields {
    grid: Grid,
    frames: usize,
    volume: Vec<f64>,
    mass: Vec<f64>,
    momentum: Vec<Vec3>,
    /// Σ m v⊗v.
    flux: Vec<Mat3>,
    /// −Σ r⊗F.
    virial: Vec<Mat3>,
}

impl Fields {
    /// No frame yet.
    pub fn new(grid: Grid) -> Self {
        let n = grid.len();
        Self {
            grid,
            frames: 0,
            volume: vec![0.0; n],
            mass: vec![0.0; n],
            momentum: vec![Vec3::zeros(); n],
            flux: vec![Mat3::zeros(); n],
            virial: vec![Mat3::zeros(); n],
        }
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Adds a frame: bodies, and contacts with the impulses in N·s on their first bodies over `dt` s.
    pub fn add(&mut self, bodies: Bodies<'_>, contacts: &[Contact], impulses_w: &[Vec3], dt: f64) {
        self.frames += 1;
        let mut cells = Vec::new();
        for i in (0..bodies.shapes.len()).filter(|i| bodies.free[*i]) {
            cells.clear();
            let (position, orientation) = (&bodies.positions[i], &bodies.orientations[i]);
            let count = spread::points(&bodies.shapes[i], position, orientation, &mut |point| {
                cells.extend(self.grid.index_of(&point));
            });
            let part = 1.0 / count.max(1) as f64;
            let (mass, v) = (part * bodies.masses[i], bodies.velocities[i].linear);
            for &cell in &cells {
                self.volume[cell] += part * bodies.shapes[i].volume();
                self.mass[cell] += mass;
                self.momentum[cell] += v * mass;
                self.flux[cell] += v * v.transpose() * mass;
            }
        }
        for (contact, impulse_w) in contacts.iter().zip(impulses_w) {
            let (arm_a, arm_b) = contact.arms(bodies.positions, self.grid.periods());
            for (body, arm, sign) in [(contact.a as usize, arm_a, 1.0), (contact.b as usize, arm_b, -1.0)] {
                if bodies.free[body] {
                    self.branch(&bodies.positions[body], &arm, &(impulse_w * (sign / dt)));
                }
            }
        }
    }

    /// The force `force` in N on a body at `center`, at the end of the branch `branch` from there.
    fn branch(&mut self, center: &Vec3, branch: &Vec3, force: &Vec3) {
        let part = branch * force.transpose() * (-1.0 / PIECES as f64);
        for k in 0..PIECES {
            let point = center + branch * ((k as f64 + 0.5) / PIECES as f64);
            if let Some(cell) = self.grid.index_of(&point) {
                self.virial[cell] += part;
            }
        }
    }

    fn per_volume(&self) -> f64 {
        1.0 / (self.frames.max(1) as f64 * self.grid.cell_volume())
    }

    /// Volume fraction φ of a cell.
    pub fn volume_fraction(&self, cell: usize) -> f64 {
        self.volume[cell] * self.per_volume()
    }

    /// Velocity u of a cell in m/s; none where nothing was.
    pub fn velocity(&self, cell: usize) -> Option<Vec3> {
        (self.mass[cell] > 0.0).then(|| self.momentum[cell] / self.mass[cell])
    }

    /// Granular temperature T of a cell in m²/s²; none where nothing was.
    pub fn temperature(&self, cell: usize) -> Option<f64> {
        (self.mass[cell] > 0.0).then(|| self.fluctuation(cell).trace() / (3.0 * self.mass[cell]))
    }

    /// Stress of the velocity fluctuations σᵏ of a cell in Pa.
    pub fn kinetic_stress(&self, cell: usize) -> Mat3 {
        self.fluctuation(cell) * self.per_volume()
    }

    /// Stress of the contacts σᶜ of a cell in Pa.
    pub fn contact_stress(&self, cell: usize) -> Mat3 {
        self.virial[cell] * self.per_volume()
    }

    /// Σ m (v − u)⊗(v − u).
    fn fluctuation(&self, cell: usize) -> Mat3 {
        let u = self.velocity(cell).unwrap_or_else(Vec3::zeros);
        self.flux[cell] - self.momentum[cell] * u.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Balls of 1 m and 2 kg on the sites of a cubic lattice, n along each axis from the origin up.
    fn lattice(n: usize) -> (Vec<Shape>, Vec<Vec3>) {
        let sites = (0..n * n * n).map(|i| Vec3::new((i % n) as f64, (i / n % n) as f64, (i / n / n) as f64));
        let positions: Vec<_> = sites.map(|site| site + Vec3::repeat(0.5)).collect();
        (vec![Shape::sphere(0.5); positions.len()], positions)
    }

    fn fields(velocities: &[Velocity], contacts: &[Contact], impulses_w: &[Vec3], cells: [usize; 3]) -> Fields {
        let (shapes, positions) = lattice(4);
        let n = shapes.len();
        let (orientations, masses, free) = (vec![Quat::identity(); n], vec![2.0; n], vec![true; n]);
        let bodies = Bodies {
            shapes: &shapes,
            positions: &positions,
            orientations: &orientations,
            velocities,
            masses: &masses,
            free: &free,
        };
        let mut fields = Fields::new(Grid::new(Vec3::zeros(), Vec3::repeat(4.0), cells));
        fields.add(bodies, contacts, impulses_w, 0.01);
        fields
    }

    #[test]
    fn a_cubic_lattice_has_volume_fraction_pi_over_six_and_its_velocity_everywhere() {
        let moving = Velocity { linear: Vec3::new(1.0, -2.0, 3.0), angular: Vec3::x() };
        // Cells that cut the balls in half as well: the points of a ball lie symmetric to its middle.
        for cells in [[4, 4, 4], [2, 2, 2], [1, 8, 2]] {
            let fields = fields(&vec![moving; 64], &[], &[], cells);
            for cell in 0..fields.grid().len() {
                let phi = fields.volume_fraction(cell);
                assert!((phi - std::f64::consts::PI / 6.0).abs() < 1e-12, "{cells:?}, {cell}: {phi}");
                let u = fields.velocity(cell).expect("balls are there");
                assert!((u - moving.linear).norm() < 1e-12);
                assert!(fields.temperature(cell).expect("balls are there").abs() < 1e-12);
            }
        }
    }

    #[test]
    fn two_opposite_speeds_are_temperature_and_pressure_but_no_velocity() {
        // Along x every other ball at +w, the others at −w: T = w²/3, σᵏ_xx = ρ φ w² with 2 kg a cell of 1 m³.
        let w = 0.7;
        let sign = |i: usize| if i.is_multiple_of(2) { w } else { -w };
        let velocities: Vec<_> =
            (0..64).map(|i| Velocity { linear: Vec3::x() * sign(i), angular: Vec3::zeros() }).collect();
        let fields = fields(&velocities, &[], &[], [2, 2, 2]);
        for cell in 0..8 {
            assert!(fields.velocity(cell).expect("balls are there").norm() < 1e-12);
            let t = fields.temperature(cell).expect("balls are there");
            assert!((t - w * w / 3.0).abs() < 1e-12, "T = {t}");
            let sigma = fields.kinetic_stress(cell);
            assert!((sigma[(0, 0)] - 2.0 * w * w).abs() < 1e-12 && sigma[(1, 1)].abs() < 1e-12, "{sigma}");
        }
    }

    #[test]
    fn a_lattice_pressed_along_x_has_the_stress_force_over_area() {
        // Every contact along x carries F = 3 N and the shear force 1 N along z; rows end at walls that are not shown.
        let (dt, force) = (0.01, Vec3::new(3.0, 0.0, 1.0));
        let mut contacts = Vec::new();
        for i in (0..64_u32).filter(|i| i % 4 < 3) {
            let point_w = Vec3::new(f64::from(i % 4) + 1.0, f64::from(i / 4 % 4) + 0.5, f64::from(i / 16) + 0.5);
            contacts.push(Contact { a: i + 1, b: i, feature: 0, point_w, normal_w: Vec3::x(), gap: 0.0 });
        }
        let impulses_w = vec![force * dt; contacts.len()];
        let fields = fields(&[Velocity::default(); 64], &contacts, &impulses_w, [4, 1, 1]);
        // The inner cells hold two half branches for each of 16 rows of 1 m²: σ = F/d² = 3 Pa.
        for cell in [1, 2] {
            let sigma = fields.contact_stress(cell);
            assert!((sigma[(0, 0)] - 3.0).abs() < 1e-12, "{sigma}");
            assert!((sigma[(0, 2)] - 1.0).abs() < 1e-12 && sigma[(1, 1)].abs() < 1e-12, "{sigma}");
        }
        assert!((fields.contact_stress(0)[(0, 0)] - 1.5).abs() < 1e-12, "the ends have half of it");
    }

    #[test]
    fn in_periodic_space_a_shift_changes_no_field_and_rows_that_close_are_pressed_everywhere() {
        let (dt, force) = (0.01, Vec3::new(3.0, 0.0, 1.0));
        let (shapes, at) = lattice(4);
        let (orientations, masses, free) = (vec![Quat::identity(); 64], vec![2.0; 64], vec![true; 64]);
        let velocities = vec![Velocity::default(); 64];
        let periods = [Some(4.0), None, None];
        for shift in [0.0, 0.3, -7.9, 4e3] {
            // Each ball wrapped on its own: the neighbour of the last in a row is an image of the first.
            let shifted: Vec<_> = at.iter().map(|x| Vec3::new((x.x + shift).rem_euclid(4.0), x.y, x.z)).collect();
            let contacts: Vec<_> = (0..64_u32)
                .map(|i| {
                    let next = if i % 4 == 3 { i - 3 } else { i + 1 };
                    let point_w = shifted[next as usize] - Vec3::x() * 0.5;
                    Contact { a: next, b: i, feature: 0, point_w, normal_w: Vec3::x(), gap: 0.0 }
                })
                .collect();
            let bodies = Bodies {
                shapes: &shapes,
                positions: &shifted,
                orientations: &orientations,
                velocities: &velocities,
                masses: &masses,
                free: &free,
            };
            let grid = Grid::new(Vec3::zeros(), Vec3::repeat(4.0), [1, 1, 1]).with_periods(periods);
            let mut fields = Fields::new(grid);
            fields.add(bodies, &contacts, &vec![force * dt; 64], dt);
            let (phi, sigma) = (fields.volume_fraction(0), fields.contact_stress(0));
            assert!((phi - std::f64::consts::PI / 6.0).abs() < 1e-12, "shift {shift}: {phi}");
            assert!((sigma[(0, 0)] - 3.0).abs() < 1e-9 && (sigma[(0, 2)] - 1.0).abs() < 1e-9, "shift {shift}: {sigma}");
        }
    }

    #[test]
    fn fixed_bodies_do_not_count() {
        let (shapes, positions) = lattice(1);
        let bodies = Bodies {
            shapes: &shapes,
            positions: &positions,
            orientations: &[Quat::identity()],
            velocities: &[Velocity::default()],
            masses: &[0.0],
            free: &[false],
        };
        let mut fields = Fields::new(Grid::new(Vec3::zeros(), Vec3::repeat(1.0), [1, 1, 1]));
        fields.add(bodies, &[], &[], 0.01);
        assert!(fields.volume_fraction(0).abs() < 1e-15 && fields.velocity(0).is_none());
    }
}
