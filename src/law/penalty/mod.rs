//! The compliant force laws: force from overlap, relative velocity and history, for one contact.
//!
//! ```text
//! d = −g                     overlap in m, positive in contact
//! v_n = δv·n                 gap velocity in m/s, negative when closing
//! v_t = δv − v_n n           tangential velocity in m/s
//! F   = f_n n + F_t          force on body a (marker 1), in N; −F acts on body b (marker 0)
//! ```
//!
//! n points from b (marker 0) to a (marker 1), δv is the velocity of a minus that of b. The normal force is in
//! [`normal`], friction in [`friction`], and what a contact remembers in [`history`]. All are pure functions: the
//! history is passed in, and its successor handed back. Sources: [Hunt & Crossley 1975], [Gonthier et al. 2004],
//! [Carvalho & Martins 2019], [Morrissey 2014].

pub mod friction;
pub mod history;
pub mod item;
pub mod normal;
pub mod restitution;

pub use friction::Friction;
pub use history::History;
pub use normal::ImpactModel;
pub use normal::NormalForce;
pub use restitution::effective_restitution;

use crate::math::Vec3;

/// The force law of one contact: normal force and friction.
#[derive(Clone, Copy, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct ContactForce {
    /// The normal force.
    pub normal: NormalForce,
    /// The friction.
    pub friction: Friction,
}

/// What a contact does to body a (marker 1); body b (marker 0) gets the opposite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Force {
    /// Signed normal force f_n along n in N; positive pushes the bodies apart.
    pub normal: f64,
    /// Friction in N, in the inertial frame, on body a.
    pub tangential_w: Vec3,
}

impl Force {
    /// The whole force on body a in N, in the inertial frame, for the normal `n_w`.
    #[inline]
    pub fn total_w(&self, n_w: &Vec3) -> Vec3 {
        n_w * self.normal + self.tangential_w
    }
}

impl ContactForce {
    /// The force at gap `gap` (m), normal `n_w` and relative velocity `dv_w` (m/s, of a minus b, at the contact
    /// point), with the history `past`. The caller decides whether there is contact.
    #[inline]
    pub fn force(&self, gap: f64, n_w: &Vec3, dv_w: &Vec3, past: &History) -> Force {
        let v_n = dv_w.dot(n_w);
        let normal = self.normal.force(-gap, v_n, past.impact_velocity, past.plastic_overlap);
        let tangential_w = if self.friction.coefficient > 0.0 {
            self.friction.force(normal, &(dv_w - n_w * v_n))
        } else {
            Vec3::zeros()
        };
        Force { normal, tangential_w }
    }
}
