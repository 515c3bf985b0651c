//! Mass properties of homogeneous solids.

use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::Shape;
use crate::shape::union;
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

    /// Of a cylinder or tube around z.
    fn round(mass: f64, squares: f64, half_length: f64) -> Self {
        let across = mass * (squares / 4.0 + half_length * half_length / 3.0);
        Self::aligned(mass, Vec3::new(across, across, 0.5 * mass * squares))
    }
}

impl Shape {
    /// Volume in m³; infinite for walls.
    pub fn volume(&self) -> f64 {
        match self {
            Self::Sphere { radius } => 4.0 / 3.0 * PI * radius.powi(3),
            Self::Box { half_extents } => 8.0 * half_extents.product(),
            Self::Capsule { radius, half_length } => PI * radius * radius * (2.0 * half_length + 4.0 / 3.0 * radius),
            Self::Clump { balls } => union::measure(balls).volume,
            Self::Cylinder { radius, half_length } => PI * radius * radius * 2.0 * half_length,
            Self::Tube { radius, thickness, half_length } => {
                PI * thickness * (2.0 * radius + thickness) * 2.0 * half_length
            }
            // Pappus: the parallelogram of the wall times the way of its centre.
            Self::Funnel { lower_radius, upper_radius, half_height, thickness } => {
                PI * (lower_radius + upper_radius + thickness) * 2.0 * half_height * thickness
            }
            Self::HalfSpace | Self::HollowSphere { .. } | Self::HollowTorus { .. } => f64::INFINITY,
        }
    }

    /// Mass, principal inertia and principal frame for a density in kg/m³; none for walls, which have no mass.
    ///
    /// ```text
    /// sphere    I = 2/5 m r²
    /// box       I_x = m/3 (h_y² + h_z²), and so on round
    /// capsule   cylinder m_c = ρ π r² 2h and caps m_s = ρ 4/3 π r³:
    ///           I_z = (m_c/2 + 2/5 m_s) r²
    ///           I_x = I_y = m_c (r²/4 + h²/3) + m_s (2/5 r² + h² + 3/4 h r)
    /// cylinder  I_z = m/2 r²,  I_x = I_y = m (r²/4 + h²/3); tube: r_in² + r_out² for r²
    /// clump     of the union of its balls, overlaps counted once
    /// ```
    pub fn mass_properties(&self, density: f64) -> Option<MassProperties> {
        if let Self::Clump { balls } = self {
            return Some(union::measure(balls).mass_properties(density));
        }
        let mass = density * self.volume();
        match self {
            Self::Sphere { radius } => Some(MassProperties::aligned(mass, Vec3::repeat(0.4 * mass * radius * radius))),
            Self::Box { half_extents } => {
                let s = half_extents.component_mul(half_extents);
                let inertia = Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (mass / 3.0);
                Some(MassProperties::aligned(mass, inertia))
            }
            Self::Capsule { radius: r, half_length: h } => {
                let caps = density * 4.0 / 3.0 * PI * r.powi(3);
                let middle = mass - caps;
                let along = (0.5 * middle + 0.4 * caps) * r * r;
                let across = middle * (r * r / 4.0 + h * h / 3.0) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
                Some(MassProperties::aligned(mass, Vec3::new(across, across, along)))
            }
            Self::Cylinder { radius, half_length } => Some(MassProperties::round(mass, radius * radius, *half_length)),
            Self::Tube { radius, thickness, half_length } => {
                let squares = radius * radius + (radius + thickness) * (radius + thickness);
                self.is_bounded().then(|| MassProperties::round(mass, squares, *half_length))
            }
            Self::Clump { .. }
            | Self::HalfSpace
            | Self::Funnel { .. }
            | Self::HollowSphere { .. }
            | Self::HollowTorus { .. } => None,
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
        let capsule = Shape::capsule(0.4, 1.2);
        assert_near_quadrature(&capsule, |x| (x - Vec3::z() * x.z.clamp(-0.6, 0.6)).norm() < 0.4);
        let cylinder = Shape::Cylinder { radius: 0.4, half_length: 0.5 };
        assert_near_quadrature(&cylinder, |x| x.xy().norm() < 0.4 && x.z.abs() < 0.5);
        let tube = Shape::Tube { radius: 0.4, thickness: 0.3, half_length: 0.5 };
        assert_near_quadrature(&tube, |x| (0.4..0.7).contains(&x.xy().norm()) && x.z.abs() < 0.5);
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
