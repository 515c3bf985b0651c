//! Prescribed motions: the pose is a function of time, so that a run that is resumed meets the same poses.
//!
//! With the pivot p₀, the position x₀ and the orientation q₀ of the body without displacement:
//!
//! ```text
//! s(t) = Σ a_k (sin(2π f_k t + φ_k) − sin φ_k) + path(t)       displacement beside the constant rate
//! p(t) = p₀ + u t + s(t)                                       pivot
//! R(t) = turn(t) · swing_n(t) ⋯ swing_1(t) · exp(ω t)          about axes of the inertial frame through p
//! x(t) = p(t) + R(t)(x₀ − p₀),   q(t) = R(t) q₀
//! ```
//!
//! A step from t to t⁺ = t + δt takes the body from pose to pose exactly. What contacts see of it is one velocity for
//! the whole step, the mean:
//!
//! ```text
//! v = (x(t⁺) − x(t))/δt,   ω = log(R(t⁺) R(t)⁻¹)/δt
//! ```

use crate::error::Fault;
use crate::math::Quat;
use crate::math::Vec3;
use crate::world::Velocity;
use std::f64::consts::TAU;

/// A prescribed rigid motion: translation of a pivot and rotation about it.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Drive {
    /// Constant velocity u of the pivot in m/s.
    pub linear: Vec3,
    /// Constant angular velocity ω in rad/s.
    pub angular: Vec3,
    /// The pivot p₀ in the inertial frame at time zero and without displacement, in m.
    pub pivot: Vec3,
    /// Oscillations of the pivot; they add up.
    pub oscillations: Vec<Oscillation>,
    /// Oscillations about axes through the pivot, each applied after those before it.
    pub swings: Vec<Swing>,
    /// Displacement of the pivot by a table.
    pub path: Option<Path>,
    /// Rotation by a table, applied after all others.
    pub turn: Option<Turn>,
}

/// a (sin(2π f t + φ) − sin φ): begins without displacement.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Oscillation {
    /// Amplitude a along each axis in m.
    pub amplitude: Vec3,
    /// Frequency f in Hz.
    pub frequency: f64,
    /// Phase φ at time zero in rad.
    pub phase: f64,
}

/// A turn by A (sin(2π f t + φ) − sin φ) about an axis.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Swing {
    /// Axis, a unit vector of the inertial frame.
    pub axis: Vec3,
    /// Amplitude A in rad.
    pub amplitude: f64,
    /// Frequency f in Hz.
    pub frequency: f64,
    /// Phase φ at time zero in rad.
    pub phase: f64,
}

/// Displacement by a table: linear between its times, constant before the first and after the last.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Path {
    /// Times in s, each later than the one before.
    pub times: Vec<f64>,
    /// Displacement of the pivot at each time in m.
    pub shifts: Vec<Vec3>,
}

/// Rotation about an axis by a table: linear between its times, constant before the first and after the last.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Turn {
    /// Axis, a unit vector of the inertial frame.
    pub axis: Vec3,
    /// Times in s, each later than the one before.
    pub times: Vec<f64>,
    /// Angle at each time in rad.
    pub angles: Vec<f64>,
}

impl Drive {
    /// Position in m and orientation at the time `t` in s of a body that has `position` and `orientation` without
    /// displacement.
    pub fn pose(&self, position: &Vec3, orientation: &Quat, t: f64) -> (Vec3, Quat) {
        let rotation = self.rotation(t);
        let arm = rotation.transform_vector(&(position - self.pivot));
        (self.pivot + self.linear * t + self.shift(t) + arm, rotation * orientation)
    }

    /// The velocity that takes a body from its pose at `from` to the one at `to`, in s; `position` as in
    /// [`Drive::pose`].
    pub fn mean_velocity(&self, position: &Vec3, from: f64, to: f64) -> Velocity {
        let (first, last) = (self.rotation(from), self.rotation(to));
        let arm = position - self.pivot;
        // The constant rate apart from the rest: it is then exact.
        let rest = self.shift(to) - self.shift(from) + last.transform_vector(&arm) - first.transform_vector(&arm);
        let linear = self.linear + rest / (to - from);
        let angular = if self.swings.is_empty() && self.turn.is_none() {
            self.angular
        } else {
            (last * first.inverse()).scaled_axis() / (to - from)
        };
        Velocity { linear, angular }
    }

    /// The velocity at the time `t` in s; at a corner of a table the one after it.
    pub fn velocity(&self, position: &Vec3, t: f64) -> Velocity {
        let mut pivot = self.linear;
        for Oscillation { amplitude, frequency, phase } in &self.oscillations {
            pivot += amplitude * (TAU * frequency * (TAU * frequency * t + phase).cos());
        }
        if let Some(Path { times, shifts }) = &self.path {
            pivot += slope(times, shifts, t).unwrap_or_else(Vec3::zeros);
        }
        // From the innermost rotation outwards: ω = ω_outer + R_outer ω_inner.
        let mut angular = self.angular;
        for Swing { axis, amplitude, frequency, phase } in &self.swings {
            let rate = amplitude * TAU * frequency * (TAU * frequency * t + phase).cos();
            let angle = swing_angle(*amplitude, *frequency, *phase, t);
            angular = axis * rate + about(axis, angle).transform_vector(&angular);
        }
        if let Some(Turn { axis, times, angles }) = &self.turn {
            let rate = slope(times, angles, t).unwrap_or(0.0);
            angular = axis * rate + about(axis, between(times, angles, t)).transform_vector(&angular);
        }
        let arm = self.rotation(t).transform_vector(&(position - self.pivot));
        Velocity { linear: pivot + angular.cross(&arm), angular }
    }

    /// Bound on the speed of the pivot at any time, in m/s.
    pub fn fastest(&self) -> f64 {
        let swinging = self.oscillations.iter().map(|own| TAU * own.frequency * own.amplitude.norm());
        let along = self.path.iter().flat_map(|path| {
            let pairs = path.times.windows(2).zip(path.shifts.windows(2));
            pairs.map(|(t, x)| (x[1] - x[0]).norm() / (t[1] - t[0]))
        });
        self.linear.norm() + swinging.sum::<f64>() + along.fold(0.0, f64::max)
    }

    /// Everything that is wrong with the drive, each fault named below `key`.
    pub fn validate(&self, key: &str) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut finite = |name: &str, numbers: &[f64]| {
            if let Some(bad) = numbers.iter().find(|number| !number.is_finite()) {
                faults.push(Fault::new(format!("{key}.{name}"), format!("has the entry {bad}"), "finite numbers"));
            }
        };
        finite("linear", self.linear.as_slice());
        finite("angular", self.angular.as_slice());
        finite("pivot", self.pivot.as_slice());
        for Oscillation { amplitude, frequency, phase } in &self.oscillations {
            finite("oscillations", amplitude.as_slice());
            finite("oscillations", &[*frequency, *phase]);
        }
        for Swing { axis, amplitude, frequency, phase } in &self.swings {
            finite("swings", axis.as_slice());
            finite("swings", &[*amplitude, *frequency, *phase]);
        }
        if let Some(path) = &self.path {
            path.shifts.iter().for_each(|shift| finite("path", shift.as_slice()));
            faults.extend(table_fault(&format!("{key}.path"), &path.times, path.shifts.len()));
        }
        if let Some(turn) = &self.turn {
            let mut finite = |numbers: &[f64]| {
                if let Some(bad) = numbers.iter().find(|number| !number.is_finite()) {
                    faults.push(Fault::new(format!("{key}.turn"), format!("has the entry {bad}"), "finite numbers"));
                }
            };
            finite(turn.axis.as_slice());
            finite(&turn.angles);
            faults.extend(table_fault(&format!("{key}.turn"), &turn.times, turn.angles.len()));
        }
        faults
    }

    /// Displacement s of the pivot beside the constant rate, in m.
    fn shift(&self, t: f64) -> Vec3 {
        let mut shift = Vec3::zeros();
        for Oscillation { amplitude, frequency, phase } in &self.oscillations {
            shift += amplitude * swing_angle(1.0, *frequency, *phase, t);
        }
        if let Some(Path { times, shifts }) = &self.path {
            shift += between(times, shifts, t);
        }
        shift
    }

    /// Rotation R about the pivot.
    fn rotation(&self, t: f64) -> Quat {
        let mut rotation =
            if self.angular == Vec3::zeros() { Quat::identity() } else { Quat::from_scaled_axis(self.angular * t) };
        for Swing { axis, amplitude, frequency, phase } in &self.swings {
            rotation = about(axis, swing_angle(*amplitude, *frequency, *phase, t)) * rotation;
        }
        if let Some(Turn { axis, times, angles }) = &self.turn {
            rotation = about(axis, between(times, angles, t)) * rotation;
        }
        rotation
    }
}

/// What is wrong with the times of a table of `values` entries.
fn table_fault(key: &str, times: &[f64], values: usize) -> Option<Fault> {
    let what = if times.is_empty() {
        "is an empty table".to_owned()
    } else if times.len() != values {
        format!("{} times for {values} values", times.len())
    } else if let Some(pair) = times.windows(2).find(|pair| !(pair[0] < pair[1])) {
        format!("time {} is followed by {}", pair[0], pair[1])
    } else if let Some(bad) = times.iter().find(|time| !time.is_finite()) {
        format!("has the time {bad}")
    } else {
        return None;
    };
    Some(Fault::new(key, what, "one value for each time, times that grow"))
}

fn about(axis: &Vec3, angle: f64) -> Quat {
    Quat::from_scaled_axis(axis * angle)
}

fn swing_angle(amplitude: f64, frequency: f64, phase: f64, t: f64) -> f64 {
    amplitude * ((TAU * frequency * t + phase).sin() - phase.sin())
}

/// Number of times that are at most `t`.
fn passed(times: &[f64], t: f64) -> usize {
    times.partition_point(|time| *time <= t)
}

/// The value of a table at the time `t`.
fn between<T>(times: &[f64], values: &[T], t: f64) -> T
where
    T: Copy + std::ops::Sub<Output = T> + std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>,
{
    let next = passed(times, t);
    if next == 0 {
        return values[0];
    }
    if next == times.len() {
        return values[next - 1];
    }
    let share = (t - times[next - 1]) / (times[next] - times[next - 1]);
    values[next - 1] + (values[next] - values[next - 1]) * share
}

/// The slope of a table at the time `t`; none before the first and after the last time.
fn slope<T>(times: &[f64], values: &[T], t: f64) -> Option<T>
where
    T: Copy + std::ops::Sub<Output = T> + std::ops::Mul<f64, Output = T>,
{
    let next = passed(times, t);
    (next > 0 && next < times.len())
        .then(|| (values[next] - values[next - 1]) * (1.0 / (times[next] - times[next - 1])))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All kinds of motion at once, about a pivot that is not the body's position.
    fn everything() -> Drive {
        let axis = Vec3::new(1.0, 2.0, -2.0) / 3.0;
        Drive {
            linear: Vec3::new(0.3, -0.1, 0.2),
            angular: Vec3::new(0.4, 1.1, -0.7),
            pivot: Vec3::new(0.5, 0.0, -0.2),
            oscillations: vec![
                Oscillation { amplitude: Vec3::new(0.0, 0.1, 0.02), frequency: 2.0, phase: 0.7 },
                Oscillation { amplitude: Vec3::new(0.05, 0.0, 0.0), frequency: 5.0, phase: 0.0 },
            ],
            swings: vec![
                Swing { axis, amplitude: 0.3, frequency: 1.5, phase: -0.4 },
                Swing { axis: Vec3::z(), amplitude: 0.2, frequency: 0.8, phase: 1.0 },
            ],
            path: Some(Path { times: vec![0.0, 0.5, 2.0], shifts: vec![Vec3::zeros(), Vec3::x(), -Vec3::z()] }),
            turn: Some(Turn { axis: Vec3::y(), times: vec![0.2, 0.9], angles: vec![0.0, 1.3] }),
        }
    }

    #[test]
    fn the_mean_velocity_takes_the_body_from_pose_to_pose() {
        let (drive, position) = (everything(), Vec3::new(1.0, 0.4, 0.3));
        let start = Quat::from_euler_angles(0.3, -0.2, 0.9);
        let dt = 0.01;
        for step in 0..300 {
            let (from, to) = (f64::from(step) * dt, f64::from(step + 1) * dt);
            let ((x0, q0), (x1, q1)) = (drive.pose(&position, &start, from), drive.pose(&position, &start, to));
            let velocity = drive.mean_velocity(&position, from, to);
            let x = x0 + velocity.linear * dt;
            let q = crate::math::quaternion::turned(&q0, &velocity.angular, dt);
            // Round-off of lengths of a metre.
            assert!((x - x1).norm() < 1e-14 && q.angle_to(&q1) < 1e-14, "step {step}: {x} for {x1}");
        }
    }

    #[test]
    fn the_velocity_is_the_limit_of_the_mean_velocity() {
        let (drive, position) = (everything(), Vec3::new(1.0, 0.4, 0.3));
        for t in [0.05, 0.31, 0.77, 1.4, 2.6] {
            let h = 1e-5;
            let mean = drive.mean_velocity(&position, t - h, t + h);
            let now = drive.velocity(&position, t);
            // h² times the third derivative, (2π · 5)³ · 0.05 m/s³, and round-off over h.
            let off = (mean.linear - now.linear).norm().max((mean.angular - now.angular).norm());
            assert!(off < 1e-6, "t = {t}: off by {off}");
        }
    }

    #[test]
    fn a_constant_rate_is_exact_and_a_table_keeps_its_ends() {
        let drive = Drive { linear: Vec3::new(0.1, 0.0, 0.0), ..Drive::default() };
        let velocity = drive.mean_velocity(&Vec3::new(0.3, 0.2, 0.1), 0.7, 0.7 + 1e-3);
        assert_eq!(velocity, Velocity { linear: drive.linear, angular: Vec3::zeros() });
        let path = everything().path.expect("there");
        assert_eq!(between(&path.times, &path.shifts, -1.0), Vec3::zeros());
        assert_eq!(between(&path.times, &path.shifts, 9.0), -Vec3::z());
        assert_eq!(between(&path.times, &path.shifts, 0.5), Vec3::x());
        assert_eq!(slope(&path.times, &path.shifts, 0.25), Some(Vec3::x() * 2.0));
        assert_eq!(slope(&path.times, &path.shifts, 3.0), None);
    }

    #[test]
    fn tables_with_times_that_do_not_grow_are_refused() {
        let path = |times: &[f64]| Drive {
            path: Some(Path { times: times.to_vec(), shifts: vec![Vec3::zeros(); 2] }),
            ..Drive::default()
        };
        assert!(path(&[0.0, 1.0]).validate("d").is_empty());
        for (times, told) in [(&[1.0, 1.0][..], "followed by 1"), (&[0.0], "1 times for 2"), (&[], "empty")] {
            let faults = path(times).validate("d");
            assert!(faults.len() == 1 && faults[0].what.contains(told), "{times:?}: {faults:?}");
        }
        assert!(everything().validate("d").is_empty());
    }
}
