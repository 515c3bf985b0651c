//! Every example runs and its own checks hold.

#[path = "../examples/box_stack.rs"]
mod box_stack;
#[path = "../examples/sliding_sphere.rs"]
mod sliding_sphere;
#[path = "../examples/two_laws_one_impact.rs"]
mod two_laws_one_impact;

/// Longest example, so that each can be read at a glance.
const LINES: usize = 60;

#[test]
fn a_sphere_thrown_flat_ends_up_rolling() {
    sliding_sphere::main().expect("valid input");
}

#[test]
fn a_stack_of_boxes_stands() {
    box_stack::main().expect("valid input");
}

#[test]
fn two_laws_differ_on_one_impact() {
    two_laws_one_impact::main().expect("valid input");
}

#[test]
fn the_examples_are_short() {
    for (name, text) in [
        ("box_stack", include_str!("../examples/box_stack.rs")),
        ("sliding_sphere", include_str!("../examples/sliding_sphere.rs")),
        ("two_laws_one_impact", include_str!("../examples/two_laws_one_impact.rs")),
    ] {
        let lines = text.lines().count();
        assert!(lines < LINES, "{name} has {lines} lines");
    }
}
