//! The compliant items and their integrators against reference files, closed forms, and themselves.

mod examples;
mod faults;
mod integrators;
mod reference;
mod scenes;
mod tables;
mod trajectories;
