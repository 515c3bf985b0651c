//! Free velocity and advance, for all bodies of a world.

use crate::integrator::Gyroscopic;
use crate::math::Quat;
use crate::math::Vec3;
use crate::math::quaternion;
use crate::world::Velocity;
use crate::world::World;
use rayon::iter::IndexedParallelIterator;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSliceMut;

/// Bodies a task takes at a time; fixed, so that the work is cut the same way for any number of threads.
const CHUNK: usize = 1024;

/// The velocity each free body would have after the step without contacts; driven bodies get their prescribed one.
///
/// ```text
/// v_f = v + δt (g + f/m),   ω_f = ω + δt I⁻¹(τ − ω × Iω)
/// ```
///
/// with I in the inertial frame at the beginning of the step. `out` has one entry a body.
pub fn free_velocity(world: &World, dt: f64, rule: Gyroscopic, out: &mut [Velocity]) {
    out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
        for (k, out) in out.iter_mut().enumerate() {
            let i = chunk * CHUNK + k;
            *out = free_velocity_of(world, i, dt, rule);
        }
    });
}

/// [`free_velocity`] of one body.
#[inline]
pub fn free_velocity_of(world: &World, i: usize, dt: f64, rule: Gyroscopic) -> Velocity {
    let before = world.velocities()[i];
    if !world.is_free(i) {
        return before;
    }
    let linear = before.linear + (world.gravity() + world.forces()[i] / world.masses()[i]) * dt;
    let inertia = &world.inertias()[i];
    let torque_w = &world.torques()[i];
    let isotropic = world.is_isotropic(i);
    if isotropic && *torque_w == Vec3::zeros() {
        return Velocity { linear, angular: before.angular };
    }
    // In the principal frame the inertia is diagonal.
    let frame = world.principal_axes(i);
    let mut w = frame.inverse_transform_vector(&before.angular);
    if !isotropic {
        w = rule.apply(&w, inertia, dt);
    }
    w += frame.inverse_transform_vector(torque_w).component_div(inertia) * dt;
    Velocity { linear, angular: frame.transform_vector(&w) }
}

/// Moves every free body for `dt` seconds at its velocity; `push`, where given, is a pseudo-velocity that is added for the
/// move and forgotten.
///
/// ```text
/// x⁺ = x + δt (v + u),   q⁺ = exp(δt (ω + u_ω)/2) q
/// ```
pub fn advance(world: &mut World, dt: f64, push: Option<&[Velocity]>) {
    advance_by(world, push, dt, |q, w| quaternion::turned(q, w, dt));
}

/// As [`advance`] to round-off, for steps so short that bodies turn slightly.
pub fn advance_slightly(world: &mut World, dt: f64) {
    advance_by(world, None, dt, |q, w| quaternion::turned_slightly(q, &(w * dt)));
}

#[inline]
fn advance_by(
    world: &mut World,
    push: Option<&[Velocity]>,
    dt: f64,
    turned: impl Fn(&Quat, &Vec3) -> Quat + Send + Sync,
) {
    let state = world.motion_mut();
    let (positions, orientations) = (state.positions, state.orientations);
    let (velocities, free) = (state.velocities, state.free);
    positions.par_chunks_mut(CHUNK).zip(orientations.par_chunks_mut(CHUNK)).enumerate().for_each(
        |(chunk, (positions, orientations))| {
            for (k, (x, q)) in positions.iter_mut().zip(orientations).enumerate() {
                let i = chunk * CHUNK + k;
                if !free[i] {
                    continue;
                }
                let mut v = velocities[i];
                if let Some(push) = push {
                    v.linear += push[i].linear;
                    v.angular += push[i].angular;
                }
                *x += v.linear * dt;
                if v.angular != Vec3::zeros() {
                    *q = turned(q, &v.angular);
                }
            }
        },
    );
}
