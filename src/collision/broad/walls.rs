//! Bodies that are tried against all others: walls without bounds, and the few that are much larger than the rest.

use crate::collision::Geometry;
use crate::collision::Margin;
use crate::collision::broad::ordered;
use crate::collision::broad::reach::Reach;
use crate::collision::geometry::image_shift;
use crate::collision::narrow::Pose;
use crate::collision::narrow::surface;
use crate::math::Vec3;
use crate::shape::Shape;
use std::ops::Range;

/// A wall, made ready for many points.
#[derive(Debug)]
pub(crate) struct Wall {
    body: u32,
    /// The wall's share of the margin: its travel.
    share: f64,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// n·x ≤ offset.
    HalfSpace { normal: Vec3, offset: f64 },
    /// Whatever tells the distance of a point.
    Solid { pose: Pose },
}

impl Wall {
    pub(crate) fn new(geometry: Geometry<'_>, margin: Margin, body: u32) -> Self {
        let i = body as usize;
        let pose = Pose { position_w: geometry.positions_w[i], orientation: geometry.orientations[i] };
        let form = match &geometry.shapes[i] {
            Shape::HalfSpace => {
                let normal = pose.orientation * Vec3::z();
                Form::HalfSpace { normal, offset: normal.dot(&pose.position_w) }
            }
            _ => Form::Solid { pose },
        };
        let share = match margin {
            Margin::Travel => geometry.travel[i],
            Margin::Fixed(_) => 0.0,
        };
        Self { body, share, form }
    }

    /// Pairs of the wall with the bodies in `range`; two walls make a pair once.
    pub(crate) fn pairs(&self, geometry: Geometry<'_>, reach: &Reach, range: Range<usize>, found: &mut Vec<u64>) {
        let wall = self.body as usize;
        let periodic = geometry.periods.iter().any(Option::is_some);
        for i in range {
            let mut x = geometry.positions_w[i];
            if periodic {
                x += image_shift(&geometry.periods, &x, &geometry.positions_w[wall]);
            }
            let near = self.meets(&geometry.shapes[wall], &x, reach.wall()[i] + self.share);
            let i = i as u32;
            if near && (!reach.is_wall(i) || i > self.body) {
                found.extend(ordered(i, self.body, geometry.movable));
            }
        }
    }

    /// Whether the wall comes within `reach` of the point `x`.
    #[inline]
    fn meets(&self, shape: &Shape, x: &Vec3, reach: f64) -> bool {
        match &self.form {
            Form::HalfSpace { normal, offset } => normal.dot(x) - offset < reach,
            Form::Solid { pose } => surface::distance(shape, &pose.to_body(x)).0 < reach,
        }
    }
}
