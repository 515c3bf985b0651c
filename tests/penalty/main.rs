//! The compliant items and their integrators against reference files, closed forms, and themselves.

mod allocations;
mod bad_items;
mod conservation;
mod examples;
mod faults;
mod integrators;
mod pages;
mod periodic_chute;
mod reference;
mod restitution;
mod scene_items;
mod scenes;
mod tables;
mod trajectories;
