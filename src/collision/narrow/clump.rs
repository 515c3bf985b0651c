//! Clump and anything: the contacts of each of its balls.

use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::collision::narrow::collide;
use crate::shape::Ball;
use crate::shape::Shape;

/// Ball i of the clump is a sphere of its own; its features are i · M + those of the sphere with the other shape, with
/// M one more than the largest of those. False if spheres and the other shape make no contacts.
pub(crate) fn collide_balls(balls: &[Ball], pose_a: &Pose, b: &Shape, pose_b: &Pose, sink: &mut Sink<'_>) -> bool {
    let most = match b {
        Shape::Clump { balls } => balls.len() as u32,
        _ => 1,
    };
    balls.iter().enumerate().all(|(i, ball)| {
        let pose = Pose { position_w: pose_a.to_world(&ball.center), orientation: pose_a.orientation };
        let sphere = Shape::Sphere { radius: ball.radius };
        collide(&sphere, &pose, b, pose_b, &mut sink.member(i as u32 * most))
    })
}
