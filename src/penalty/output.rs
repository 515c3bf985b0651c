//! What an item can be asked for.

use crate::integrator::State;
use crate::law::ContactState;
use crate::math::Vec3;
use crate::penalty::attachment::BodyHandle;
use crate::penalty::attachment::rates;
use crate::penalty::system::Configuration;
use crate::penalty::system::Item;
use crate::penalty::system::ItemHandle;
use crate::penalty::system::System;

/// The output variables of the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutputVariable {
    /// Contact point in m, also for an open contact.
    Position,
    /// From marker 0 to marker 1, in m.
    Displacement,
    /// The gap in m, negative in contact.
    DisplacementLocal,
    /// Sphere–sphere: velocity of centre 1 relative to centre 0. Sphere–torus: velocity of the contact point on the
    /// torus relative to that on the sphere, with both rotations. In m/s.
    Velocity,
    /// Contact force on marker 0 in N; marker 1 gets the opposite.
    Force,
    /// Contact torque on marker 0 about its origin in N·m.
    Torque,
    /// Unit vector from marker 0 to marker 1.
    Director1,
    /// Sphere–torus: unit vector from the torus centre to the projection of the sphere centre into the torus plane.
    Director2,
    /// Sphere–torus: the contact normal, from the nearest centre of the tube to the sphere centre.
    Director3,
    /// Coordinate: the gap q₁ − q₀ − offset, in m or rad.
    Distance,
}

/// Value of an output variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Output {
    /// A number.
    Scalar(f64),
    /// A vector in the inertial frame.
    Vector(Vec3),
}

/// Power in W that acts on bodies and masses, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Power {
    /// Of the constant forces and torques, without gravity.
    pub loads: f64,
    /// Of the normal forces of closed contacts.
    pub normal: f64,
    /// Of their friction.
    pub friction: f64,
}

impl System {
    /// An output variable of an item in a state, with the history in use; none where the item has no such variable.
    pub fn output(&self, item: ItemHandle, which: OutputVariable, state: &State<Configuration>) -> Option<Output> {
        let (at, velocity) = (&state.configuration, &state.velocity[..]);
        let measured = self.measured(item.0, at, velocity).ok()?;
        let (contact, number) = (&self.items[item.0], item.0);
        if let Item::Coordinate { .. } = contact {
            return (which == OutputVariable::Distance).then_some(Output::Scalar(measured.gap));
        }
        let pair = self.pair(contact, at, velocity)?;
        let [first, second] = &pair.frames;
        let torus = matches!(contact, Item::Torus { .. });
        let between = second.x_w - first.x_w;
        let loads = || {
            let (law, history) = match contact {
                Item::Spheres { law, .. } | Item::Torus { law, .. } => (law, &self.used[number]),
                Item::Coordinate { .. } => unreachable!("returned above"),
            };
            if !contact.active() || !contact.closed(history.gap) {
                return (Vec3::zeros(), Vec3::zeros());
            }
            let force = law.force(measured.gap, &pair.contact.normal_w, &pair.contact.dv_w, history);
            let total = force.total_w(&pair.contact.normal_w);
            (-total, -pair.contact.arms_w[0].cross(&force.tangential_w))
        };
        let vector = match which {
            OutputVariable::Position => first.x_w + pair.contact.arms_w[0],
            OutputVariable::Displacement => between,
            OutputVariable::DisplacementLocal => return Some(Output::Scalar(measured.gap)),
            OutputVariable::Velocity if torus => pair.contact.dv_w,
            OutputVariable::Velocity => second.v_w - first.v_w,
            OutputVariable::Force => loads().0,
            OutputVariable::Torque => loads().1,
            OutputVariable::Director1 => between.try_normalize(0.0).unwrap_or_else(Vec3::zeros),
            OutputVariable::Director2 if torus => pair.radial_w,
            OutputVariable::Director3 if torus => pair.contact.normal_w,
            OutputVariable::Director2 | OutputVariable::Director3 | OutputVariable::Distance => return None,
        };
        Some(Output::Vector(vector))
    }

    /// Gap in m and state of an item, with the history in use; none where it is open or inactive.
    pub fn touching(&self, item: ItemHandle, state: &State<Configuration>) -> Option<(f64, ContactState)> {
        let power = self.contact(item.0, state)?;
        Some((power.gap, power.state))
    }

    /// The power of loads and closed contacts in a state, with the histories in use.
    pub fn power(&self, state: &State<Configuration>) -> Power {
        let mut power = Power::default();
        for (i, body) in self.bodies().iter().enumerate() {
            let (v, w) = rates(&state.velocity, BodyHandle(i));
            power.loads += body.force_w.dot(&v) + body.torque_w.dot(&w);
        }
        for (mass, v) in self.masses().iter().zip(&state.velocity[6 * self.bodies().len()..]) {
            power.loads += mass.force * v;
        }
        for number in 0..self.items.len() {
            if let Some(contact) = self.contact(number, state) {
                power.normal += contact.normal;
                power.friction += contact.friction;
            }
        }
        power
    }

    /// Kinetic energy of the masses in J; that of the bodies is their world's to tell.
    pub fn kinetic_energy_of_masses(&self, velocity: &[f64]) -> f64 {
        let own = &velocity[6 * self.bodies().len()..];
        self.masses().iter().zip(own).map(|(mass, v)| 0.5 * mass.mass * v * v).sum()
    }

    fn contact(&self, number: usize, state: &State<Configuration>) -> Option<Closed> {
        let (item, history) = (&self.items[number], &self.used[number]);
        if !item.active() || !item.closed(history.gap) {
            return None;
        }
        let measured = self.measured(number, &state.configuration, &state.velocity).ok()?;
        let v_n = measured.gap_velocity;
        let (law, dv_w, normal_w) = match item {
            Item::Coordinate { law, .. } => {
                let force = law.force(-measured.gap, v_n, history.impact_velocity, 0.0);
                let state = if force > 0.0 { ContactState::Sticking } else { ContactState::Separating };
                return Some(Closed { gap: measured.gap, state, normal: force * v_n, friction: 0.0 });
            }
            Item::Spheres { law, .. } | Item::Torus { law, .. } => {
                let pair = self.pair(item, &state.configuration, &state.velocity)?;
                (law, pair.contact.dv_w, pair.contact.normal_w)
            }
        };
        let force = law.force(measured.gap, &normal_w, &dv_w, history);
        let state = if force.normal <= 0.0 {
            ContactState::Separating
        } else if measured.tangential_speed < law.friction.regularisation {
            ContactState::Sticking
        } else {
            ContactState::Sliding
        };
        let (normal, friction) = (force.normal * dv_w.dot(&normal_w), force.tangential_w.dot(&dv_w));
        Some(Closed { gap: measured.gap, state, normal, friction })
    }
}

/// A closed contact: gap in m, state, and the power in W of its normal force and of its friction.
struct Closed {
    gap: f64,
    state: ContactState,
    normal: f64,
    friction: f64,
}
