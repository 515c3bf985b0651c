//! Mass properties of homogeneous solids.

use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::Shape;
use std::f64::consts::PI;

/// Mass and inertia of a homogeneous solid about its centre of mass, which is the body's origin.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MassProperties {
    /// Mass in kg.
    pub mass: f64,
    /// Principal moments of inertia in kg·m².
    pub inertia: Vec3,
    /// Rotation from the principal axes to the body frame; the identity where the body axes are principal.
    pub frame: Quat,
}

impl MassProperties {
    fn aligned(mass: f64, inertia: Vec3) -> Self {
        Self { mass, inertia, frame: Quat::identity() }
    }
}

impl Shape {
    /// Volume in m³; infinite for walls.
    pub fn volume(&self) -> f64 {
        match self {
            Self::Sphere { radius } => 4.0 / 3.0 * PI * radius.powi(3),
            Self::Box { half_extents } => 8.0 * half_extents.product(),
            Self::HalfSpace => f64::INFINITY,
        }
    }

    /// Mass, principal inertia and principal frame for a density in kg/m³; none for walls, which have no mass.
    ///
    /// ```text
    /// sphere   I = 2/5 m r²
    /// box      I_x = m/3 (h_y² + h_z²), and so on round
    /// ```
    pub fn mass_properties(&self, density: f64) -> Option<MassProperties> {
        let mass = density * self.volume();
        match self {
            Self::Sphere { radius } => Some(MassProperties::aligned(mass, Vec3::repeat(0.4 * mass * radius * radius))),
            Self::Box { half_extents } => {
                let s = half_extents.component_mul(half_extents);
                let inertia = Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (mass / 3.0);
                Some(MassProperties::aligned(mass, inertia))
            }
            Self::HalfSpace => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume and second moments by midpoint quadrature of an indicator on [−reach, reach]³, on a turned grid so that
    /// no face of the solid lies along it.
    fn quadrature(reach: f64, inside: impl Fn(Vec3) -> bool) -> (f64, Vec3) {
        let n = 200;
        let h = 2.0 * reach / f64::from(n);
        let turn = Quat::from_euler_angles(0.3, 0.5, 0.7);
        let at = |i: i32| -reach + (f64::from(i) + 0.5) * h;
        let (mut volume, mut second) = (0.0, Vec3::zeros());
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    let x = turn * Vec3::new(at(i), at(j), at(k));
                    if inside(x) {
                        volume += h * h * h;
                        second += x.component_mul(&x) * (h * h * h);
                    }
                }
            }
        }
        (volume, second)
    }

    fn assert_near_quadrature(shape: &Shape, inside: impl Fn(Vec3) -> bool) {
        // The indicator jumps on the surface: the error is a small part of one cell in 200.
        const TOLERANCE: f64 = 2e-3;
        let density = 2.5;
        let (volume, s) = quadrature(shape.bounding_radius(), inside);
        let expected = Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * density;
        let got = shape.mass_properties(density).expect("a solid");
        assert!((got.mass / (density * volume) - 1.0).abs() < TOLERANCE, "{shape:?}: mass {}", got.mass);
        let off = (got.inertia - expected).norm() / expected.norm();
        assert!(off < TOLERANCE, "{shape:?}: inertia {} for {expected}", got.inertia);
    }

    #[test]
    fn mass_and_inertia_agree_with_quadrature() {
        let sphere = Shape::sphere(0.7);
        assert_near_quadrature(&sphere, |x| x.norm() < 0.7);
        let half = Vec3::new(0.3, 0.5, 0.9);
        assert_near_quadrature(&Shape::Box { half_extents: half }, |x| (0..3).all(|k| x[k].abs() < half[k]));
    }

    #[test]
    fn closed_forms_hold_to_round_off() {
        let ball = Shape::sphere(2.0).mass_properties(3.0).expect("a solid");
        assert!((ball.mass - 32.0 * PI).abs() < 1e-13, "{}", ball.mass);
        assert!((ball.inertia - Vec3::repeat(51.2 * PI)).norm() < 1e-12, "{}", ball.inertia);
        let cuboid = Shape::cuboid(1.0, 2.0, 3.0).mass_properties(2.0).expect("a solid");
        assert!((cuboid.mass - 12.0).abs() < 1e-14);
        assert!((cuboid.inertia - Vec3::new(13.0, 10.0, 5.0)).norm() < 1e-14, "{}", cuboid.inertia);
        assert!(Shape::HalfSpace.mass_properties(1.0).is_none());
    }
}
