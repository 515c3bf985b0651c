//! The compliant items and their integrators against reference files, closed forms, and themselves.

mod bad_items;
mod examples;
mod faults;
mod integrators;
mod reference;
mod scene_items;
mod scenes;
mod tables;
mod trajectories;
