//! The arrays of a world.

use crate::material::MaterialId;
use crate::material::Materials;
use crate::math::Mat3;
use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::Shape;
use crate::world::Drive;
use crate::world::Velocity;

/// All bodies at one instant, with what acts on them: plain state, one entry a body in each array.
///
/// A body keeps its index until one before it is removed (see [`World::remove`]), and its id for life. Everything a
/// step computes is a function of this state and of the simulation's memory; nothing is cached here.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct World {
    pub(crate) gravity: Vec3,
    pub(crate) materials: Materials,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) material: Vec<MaterialId>,
    pub(crate) positions: Vec<Vec3>,
    pub(crate) orientations: Vec<Quat>,
    pub(crate) velocities: Vec<Velocity>,
    pub(crate) masses: Vec<f64>,
    pub(crate) inertias: Vec<Vec3>,
    pub(crate) frames: Vec<Quat>,
    pub(crate) forces: Vec<Vec3>,
    pub(crate) torques: Vec<Vec3>,
    pub(crate) free: Vec<bool>,
    /// Driven bodies with their drives, in the order of the bodies.
    pub(crate) drives: Vec<Driven>,
    /// Id of each body, ascending.
    pub(crate) ids: Vec<u32>,
    /// Id of the next body to be added.
    pub(crate) next_id: u32,
    pub(crate) periods: [Option<f64>; 3],
}

/// A driven body: its drive, and its pose without displacement.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Driven {
    /// The body, by its index.
    pub body: u32,
    /// How it moves.
    pub drive: Drive,
    /// Position without displacement, in m.
    pub position: Vec3,
    /// Orientation without displacement.
    pub orientation: Quat,
}

/// What moving the bodies changes and reads, borrowed at once.
pub struct MotionMut<'a> {
    /// Centres of mass in m.
    pub positions: &'a mut [Vec3],
    /// Orientations.
    pub orientations: &'a mut [Quat],
    /// Velocities.
    pub velocities: &'a [Velocity],
    /// Whether each body is free.
    pub free: &'a [bool],
}

impl World {
    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no body; never so for a world that was built.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Gravity in the inertial frame, in m/s².
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// The materials and the friction of each pair.
    pub fn materials(&self) -> &Materials {
        &self.materials
    }

    /// Shapes in the body frames.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Material of each body.
    pub fn material(&self) -> &[MaterialId] {
        &self.material
    }

    /// Coefficient of friction between two bodies.
    #[inline]
    pub fn friction(&self, a: usize, b: usize) -> f64 {
        self.materials.friction(self.material[a], self.material[b])
    }

    /// Centres of mass in the inertial frame, in m.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Orientations: rotate body coordinates into the inertial frame.
    pub fn orientations(&self) -> &[Quat] {
        &self.orientations
    }

    /// Velocities in the inertial frame.
    pub fn velocities(&self) -> &[Velocity] {
        &self.velocities
    }

    /// Masses in kg; zero for fixed and driven bodies, which have none.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Principal moments of inertia in kg·m²; zero for fixed and driven bodies.
    pub fn inertias(&self) -> &[Vec3] {
        &self.inertias
    }

    /// Rotations of principal into body coordinates.
    pub fn frames(&self) -> &[Quat] {
        &self.frames
    }

    /// Constant forces in the inertial frame, in N.
    pub fn forces(&self) -> &[Vec3] {
        &self.forces
    }

    /// Constant torques in the inertial frame, in N·m.
    pub fn torques(&self) -> &[Vec3] {
        &self.torques
    }

    /// The driven bodies.
    pub fn drives(&self) -> &[Driven] {
        &self.drives
    }

    /// Id of each body, by its index: given in the order in which bodies came, from 0 on, and kept for life. The ids
    /// ascend.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Number of bodies that there ever were: one more than the largest id that was given.
    pub fn ever(&self) -> usize {
        self.next_id as usize
    }

    /// Period along each axis of the inertial frame in m, where space is periodic. Positions are not wrapped.
    pub fn periods(&self) -> &[Option<f64>; 3] {
        &self.periods
    }

    /// Whether a body moves by its mass; otherwise it is fixed or driven.
    #[inline]
    pub fn is_free(&self, i: usize) -> bool {
        self.free[i]
    }

    /// Whether all bodies are free, by index.
    pub fn free(&self) -> &[bool] {
        &self.free
    }

    /// Whether the three principal moments are the same number.
    #[inline]
    #[allow(clippy::float_cmp)] // a sphere's moments are one number three times
    pub fn is_isotropic(&self, i: usize) -> bool {
        let inertia = &self.inertias[i];
        inertia.x == inertia.y && inertia.y == inertia.z
    }

    /// Rotation of principal coordinates into the inertial frame.
    #[inline]
    pub fn principal_axes(&self, i: usize) -> Quat {
        self.orientations[i] * self.frames[i]
    }

    /// Inverse inertia tensor in the inertial frame, in 1/(kg·m²); zero for fixed and driven bodies.
    #[inline]
    pub fn inverse_inertia(&self, i: usize) -> Mat3 {
        if !self.free[i] {
            return Mat3::zeros();
        }
        let inverse = self.inertias[i].map(|moment| 1.0 / moment);
        if self.is_isotropic(i) {
            return Mat3::from_diagonal(&inverse);
        }
        let r = self.principal_axes(i).to_rotation_matrix();
        let mut scaled = *r.matrix();
        for k in 0..3 {
            scaled.column_mut(k).scale_mut(inverse[k]);
        }
        scaled * r.matrix().transpose()
    }

    /// Angular momentum Iω of body i for the angular velocity `w`, in kg·m²/s, in the inertial frame.
    #[inline]
    pub fn angular_momentum(&self, i: usize, w: &Vec3) -> Vec3 {
        let inertia = &self.inertias[i];
        if self.is_isotropic(i) {
            return w * inertia.x;
        }
        let frame = self.principal_axes(i);
        frame.transform_vector(&frame.inverse_transform_vector(w).component_mul(inertia))
    }

    /// Kinetic energy of body i in J at the velocity `v`; zero for fixed and driven bodies.
    #[inline]
    pub fn kinetic_energy(&self, i: usize, v: &Velocity) -> f64 {
        if !self.free[i] {
            return 0.0;
        }
        0.5 * (self.masses[i] * v.linear.norm_squared() + v.angular.dot(&self.angular_momentum(i, &v.angular)))
    }

    /// Potential energy of body i in J: −m g·x.
    #[inline]
    pub fn potential_energy(&self, i: usize) -> f64 {
        -self.masses[i] * self.gravity.dot(&self.positions[i])
    }

    /// Changes gravity, in m/s².
    pub fn set_gravity(&mut self, gravity: Vec3) {
        self.gravity = gravity;
    }

    /// Changes the velocity of a free body; a fixed or driven one keeps its own.
    pub fn set_velocity(&mut self, i: usize, velocity: Velocity) {
        if self.free[i] {
            self.velocities[i] = velocity;
        }
    }

    /// Changes the velocities of the free bodies to those of `from`, which has one entry a body.
    pub fn set_velocities(&mut self, from: &[Velocity]) {
        for ((to, from), free) in self.velocities.iter_mut().zip(from).zip(&self.free) {
            if *free {
                *to = *from;
            }
        }
    }

    /// Changes the constant force in N and torque in N·m on a body.
    pub fn set_load(&mut self, i: usize, force: Vec3, torque: Vec3) {
        self.forces[i] = force;
        self.torques[i] = torque;
    }

    /// Gives the driven bodies the velocities that take them from their poses at `from` to those at `to`, in s.
    pub fn drive(&mut self, from: f64, to: f64) {
        for Driven { body, drive, position, .. } in &self.drives {
            self.velocities[*body as usize] = drive.mean_velocity(position, from, to);
        }
    }

    /// Puts the driven bodies where they are at the time `time` in s.
    pub fn place_driven(&mut self, time: f64) {
        for Driven { body, drive, position, orientation } in &self.drives {
            let i = *body as usize;
            (self.positions[i], self.orientations[i]) = drive.pose(position, orientation, time);
        }
    }

    /// Borrows what moving the free bodies changes and reads.
    pub fn motion_mut(&mut self) -> MotionMut<'_> {
        MotionMut {
            positions: &mut self.positions,
            orientations: &mut self.orientations,
            velocities: &self.velocities,
            free: &self.free,
        }
    }
}
