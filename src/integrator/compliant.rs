//! Time stepping of compliant contacts: steps, and the events where contacts open and close.
//!
//! Within a step the contact states are frozen. If a contact has changed its state at the end of a step, the step is
//! repeated, in one of two ways ([`Events`]):
//!
//! - `Land`: with the step size that ends on g = 0 of the first contact to change (regula falsi in the step size, started
//!   from the gaps at both ends, with a floor). The next step begins with the new states and the old step size. The
//!   order of the method survives.
//! - `Iterate` (generalised-α only): with the states found, until they stop changing (active set).

use crate::error::Fault;
use crate::integrator::Crossing;
use crate::integrator::State;
use crate::integrator::System;
use crate::integrator::explicit;
use crate::integrator::generalised_alpha::Newton;
use crate::integrator::stability;

/// A time-stepping method.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Order 1, one force a step.
    SemiImplicitEuler,
    /// Order 2, one force a step.
    VelocityVerlet,
    /// Order 4, four forces a step.
    RungeKutta4,
    /// Order 2, implicit: no stability limit.
    GeneralisedAlpha {
        /// Spectral radius at infinite frequency, in [0, 1]: 1 keeps energy, 0 damps what is not resolved at once.
        spectral_radius: f64,
    },
}

impl Method {
    /// Generalised-α with its usual spectral radius, 0.9.
    pub const IMPLICIT: Self = Self::GeneralisedAlpha { spectral_radius: 0.9 };

    /// Whether accelerations are carried from step to step.
    fn carries(&self) -> bool {
        matches!(self, Self::VelocityVerlet | Self::GeneralisedAlpha { .. })
    }

    /// The name in files and messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SemiImplicitEuler => "semi-implicit-euler",
            Self::VelocityVerlet => "velocity-verlet",
            Self::RungeKutta4 => "runge-kutta-4",
            Self::GeneralisedAlpha { .. } => "generalised-alpha",
        }
    }
}

/// What is done when a contact changes its state within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Events {
    /// The step is repeated with the size that lands on g = 0.
    #[default]
    Land,
    /// The step is repeated with the new contact states until they stop changing.
    Iterate,
}

/// How a compliant system is stepped.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// The method.
    pub method: Method,
    /// Step size in s; the steps to an output time are equal and at most this long.
    pub step: f64,
    /// Treatment of contact events.
    pub events: Events,
    /// How close to g = 0 a step lands, as a part of the step size, and the floor of a step that lands. Landing late by
    /// ε costs a force of order kε over ε, so 1e-9 is far below any method's own error.
    pub landing: f64,
    /// Runs an explicit method beyond its stability limit.
    pub override_stability: bool,
}

impl Settings {
    /// `method` with steps of `step` seconds, landing on events.
    pub fn new(method: Method, step: f64) -> Self {
        Self { method, step, events: Events::Land, landing: 1e-9, override_stability: false }
    }

    /// Everything that is wrong with the settings.
    pub fn validate(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if !(self.step > 0.0 && self.step.is_finite()) {
            faults.push(Fault::new("step", format!("{} s", self.step), "give a positive step in seconds"));
        }
        if !(self.landing > 0.0 && self.landing < 0.1) {
            faults.push(Fault::new("landing", format!("{}", self.landing), "give a part of the step in (0, 0.1)"));
        }
        if let Method::GeneralisedAlpha { spectral_radius } = self.method {
            if !(0.0..=1.0).contains(&spectral_radius) {
                faults.push(Fault::new(
                    "spectral_radius",
                    format!("{spectral_radius}"),
                    "give a spectral radius in [0, 1]; 0.9 is usual",
                ));
            }
        } else if self.events == Events::Iterate {
            faults.push(Fault::new(
                "events",
                format!("iterating the active set needs an implicit method, not {}", self.method.name()),
                "land on events, or use generalised-alpha",
            ));
        }
        faults
    }
}

/// When a watcher sees a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// At its end, with the contact states it was made with.
    Reached,
    /// At the same time, with those of the next step.
    Begun,
}

/// What stepping did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Report {
    /// Accepted steps.
    pub steps: usize,
    /// Contacts that opened or closed.
    pub events: usize,
    /// Newton iterations.
    pub newton_iterations: usize,
    /// Steps whose active set did not settle and that were accepted with the last one.
    pub unsettled: usize,
}

/// Repetitions of a step while its active set changes; two suffice unless contacts work against each other.
const MAX_REPETITIONS: usize = 20;
/// Trials to land on an event; regula falsi needs about six.
const MAX_TRIALS: usize = 60;
/// A step on which Newton's method fails is halved at most this often.
const MAX_HALVINGS: u32 = 12;

/// Steps a system through time.
#[derive(Clone, Debug)]
pub struct Integrator<C> {
    settings: Settings,
    explicit: explicit::Buffers,
    newton: Newton,
    candidate: Option<State<C>>,
    low: Option<State<C>>,
    report: Report,
}

impl<C: Clone> Integrator<C> {
    /// An integrator with these settings.
    ///
    /// # Errors
    /// The faults of the settings.
    pub fn new(settings: Settings) -> Result<Self, Vec<Fault>> {
        let faults = settings.validate();
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self {
            settings,
            explicit: explicit::Buffers::default(),
            newton: Newton::default(),
            candidate: None,
            low: None,
            report: Report::default(),
        })
    }

    /// What has been done so far.
    pub fn report(&self) -> Report {
        Report { newton_iterations: self.newton.iterations, ..self.report }
    }

    /// Steps `system` from `state` to the time `until` (s), with the stability limit checked first and whenever a
    /// contact closes.
    ///
    /// # Errors
    /// A step beyond the stability limit (unless overridden), Newton's method not converging, an undefined contact, or
    /// a state that is no longer finite.
    pub fn advance<S>(&mut self, system: &mut S, state: &mut State<C>, until: f64) -> Result<(), Fault>
    where
        S: System<Configuration = C>,
    {
        self.advance_watched(system, state, until, |_, _, _| {})
    }

    /// As [`Integrator::advance`]; `watch` sees system and state at both moments of each accepted step.
    ///
    /// # Errors
    /// As [`Integrator::advance`].
    pub fn advance_watched<S>(
        &mut self,
        system: &mut S,
        state: &mut State<C>,
        until: f64,
        mut watch: impl FnMut(&S, &State<C>, Moment),
    ) -> Result<(), Fault>
    where
        S: System<Configuration = C>,
    {
        self.prepare(system, state)?;
        loop {
            let left = until - state.time;
            // Below half an ulp of the time a step would not move it.
            #[allow(clippy::float_cmp)]
            if left <= 0.0 || state.time + left == state.time {
                return Ok(());
            }
            // The small part keeps a whole number of steps from becoming one more by round-off.
            let count = (left / self.settings.step - 1e-6).ceil().max(1.0);
            let h = left / count;
            self.step(system, state, h, &mut watch)?;
            if count < 1.5 && self.landed_on(state.time, until, h) {
                state.time = until;
            }
            watch(system, state, Moment::Begun);
        }
    }

    fn landed_on(&self, time: f64, until: f64, h: f64) -> bool {
        (time - until).abs() < 1e-9 * h + 4.0 * f64::EPSILON * until.abs()
    }

    /// Sizes the buffers, computes the first acceleration, checks stability.
    fn prepare<S>(&mut self, system: &mut S, state: &mut State<C>) -> Result<(), Fault>
    where
        S: System<Configuration = C>,
    {
        let n = system.freedoms();
        self.explicit.resize(n);
        self.newton.resize(n);
        // So that a run resumed here has the same bits.
        self.newton.forget();
        if self.settings.method.carries() && state.acceleration.len() != n {
            self.restart(system, state);
        }
        self.candidate.get_or_insert_with(|| state.clone());
        self.low.get_or_insert_with(|| state.clone());
        self.check_stability(system, state)
    }

    /// Recomputes the accelerations that the method carries, as at the start and after every event.
    fn restart<S>(&mut self, system: &S, state: &mut State<C>)
    where
        S: System<Configuration = C>,
    {
        if !self.settings.method.carries() {
            return;
        }
        let n = system.freedoms();
        state.acceleration.resize(n, 0.0);
        system.acceleration(state.time, &state.configuration, &state.velocity, &mut state.acceleration);
        state.algorithmic.clone_from(&state.acceleration);
        self.newton.forget();
    }

    /// Checks the step against the stability limit of an explicit method in `state`, as every run does at its start.
    ///
    /// # Errors
    /// The step and the limit, with what sets it.
    pub fn check_stability<S>(&self, system: &S, state: &State<C>) -> Result<(), Fault>
    where
        S: System<Configuration = C>,
    {
        if self.settings.override_stability || matches!(self.settings.method, Method::GeneralisedAlpha { .. }) {
            return Ok(());
        }
        let modes = system.modes(&state.configuration, &state.velocity);
        stability::check(&self.settings.method, self.settings.step, &modes)
    }

    /// One accepted step of at most `h` seconds.
    fn step<S>(
        &mut self,
        system: &mut S,
        state: &mut State<C>,
        h: f64,
        watch: &mut impl FnMut(&S, &State<C>, Moment),
    ) -> Result<(), Fault>
    where
        S: System<Configuration = C>,
    {
        let (h, crossing) = self.trial(system, state, h)?;
        let mut changed = false;
        if let Some(crossing) = crossing {
            changed = true;
            match self.settings.events {
                Events::Land => self.land(system, state, h, crossing)?,
                Events::Iterate => self.iterate(system, state, h)?,
            }
        }
        let candidate = self.candidate.as_mut().expect("prepared");
        watch(system, candidate, Moment::Reached);
        system.commit();
        std::mem::swap(state, candidate);
        self.report.steps += 1;
        if changed {
            self.report.events += 1;
            self.restart(system, state);
            self.check_stability(system, state)?;
        }
        Ok(())
    }

    /// A candidate `h` seconds ahead, or less where Newton's method needs it; returns the step made and what crossed.
    fn trial<S>(&mut self, system: &mut S, state: &State<C>, h: f64) -> Result<(f64, Option<Crossing>), Fault>
    where
        S: System<Configuration = C>,
    {
        let to = self.candidate.as_mut().expect("prepared");
        let mut h = h;
        match self.settings.method {
            Method::SemiImplicitEuler => explicit::semi_implicit_euler(system, state, h, to, &mut self.explicit),
            Method::VelocityVerlet => explicit::velocity_verlet(system, state, h, to, &mut self.explicit),
            Method::RungeKutta4 => explicit::runge_kutta_4(system, state, h, to, &mut self.explicit),
            Method::GeneralisedAlpha { spectral_radius } => {
                let mut halvings = 0;
                while let Err(left) = self.newton.step(system, spectral_radius, state, h, to) {
                    if halvings == MAX_HALVINGS {
                        return Err(Fault::new(
                            format!("time {} s", state.time),
                            format!("Newton's method leaves a relative residual of {:e} at a step of {h:e} s", left.0),
                            "take a smaller step, or a larger velocity below which friction is proportional",
                        ));
                    }
                    halvings += 1;
                    h *= 0.5;
                }
            }
        }
        to.time = state.time + h;
        if !to.velocity.iter().all(|v| v.is_finite()) {
            return Err(Fault::new(
                format!("time {} s", to.time),
                "the velocities are no longer finite",
                "take a step below the stability limit",
            ));
        }
        let crossing = system.examine(&to.configuration, &to.velocity)?;
        Ok((h, crossing))
    }

    /// Repeats the step that ended at `h` with `crossing` so that it ends just behind the first event.
    fn land<S>(&mut self, system: &mut S, state: &State<C>, h: f64, crossing: Crossing) -> Result<(), Fault>
    where
        S: System<Configuration = C>,
    {
        let tolerance = self.settings.landing * self.settings.step;
        let (mut low, mut high) = (0.0, h);
        let mut contact = crossing.contact;
        let mut gap_low = system.gap(contact, &state.configuration);
        let mut gap_high = crossing.gap;
        self.low.as_mut().expect("prepared").configuration.clone_from(&state.configuration);
        let mut at_high = true;
        for _ in 0..MAX_TRIALS {
            // Where the secant meets g = 0; a gap that is already on the new side at the low end means there.
            let part = if gap_low * gap_high < 0.0 { gap_low / (gap_low - gap_high) } else { 0.0 };
            let root = low + part * (high - low);
            if high - low <= tolerance || high - root <= tolerance {
                break;
            }
            let (made, now) = self.trial(system, state, (root + 0.5 * tolerance).max(low + tolerance))?;
            match now {
                Some(crossing) => {
                    if crossing.contact == contact {
                        // Illinois: the end that stays counts less, so that the bracket shrinks from both sides.
                        if at_high {
                            gap_low *= 0.5;
                        }
                    } else {
                        contact = crossing.contact;
                        gap_low = system.gap(contact, &self.low.as_ref().expect("prepared").configuration);
                    }
                    (high, gap_high, at_high) = (made, crossing.gap, true);
                }
                None => {
                    let candidate = self.candidate.as_ref().expect("prepared");
                    gap_low = system.gap(contact, &candidate.configuration);
                    self.low.as_mut().expect("prepared").configuration.clone_from(&candidate.configuration);
                    if !at_high {
                        gap_high *= 0.5;
                    }
                    (low, at_high) = (made, false);
                }
            }
        }
        if !at_high {
            self.trial(system, state, high)?;
        }
        Ok(())
    }

    /// Repeats the step over `h` with the contact states found until they stop changing.
    fn iterate<S>(&mut self, system: &mut S, state: &State<C>, h: f64) -> Result<(), Fault>
    where
        S: System<Configuration = C>,
    {
        for _ in 0..MAX_REPETITIONS {
            system.adopt();
            self.newton.forget();
            let (_, crossing) = self.trial(system, state, h)?;
            if crossing.is_none() {
                return Ok(());
            }
        }
        self.report.unsettled += 1;
        Ok(())
    }
}
