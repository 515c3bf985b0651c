//! The sweeps of one stage, until the residual is small or a limit is reached.

use crate::law::Cone;
use crate::law::Coulomb;
use crate::law::CoulombLeast;
use crate::law::Frictionless;
use crate::law::MaxDissipation;
use crate::math::Mat3;
use crate::solver::ContactSolver;
use crate::solver::Report;
use crate::solver::Status;
use crate::solver::acceleration::Acceleration;
use crate::solver::acceleration::Motion;
use crate::solver::acceleration::Pace;
use crate::solver::ball::Ball;
use crate::solver::bodies::Bodies;
use crate::solver::bodies::CHUNK;
use crate::solver::contacts::Group;
use crate::solver::damping::Damping;
use crate::solver::damping::Verdict;
use crate::solver::general::General;
use crate::solver::rule::Impacts;
use crate::solver::rule::OneStage;
use crate::solver::rule::Rule;
use crate::solver::tally::Tally;

/// Which law the sweeps apply, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Maximum dissipation.
    MaxDissipation,
    /// Coulomb; of several solutions the most dissipative, stick first.
    Coulomb,
    /// Coulomb; of several solutions the one with the smallest normal impulse: stage 2 of two.
    CoulombLeast,
    /// The cone alone.
    Cone,
    /// No friction.
    Frictionless,
    /// Impacts by maximum dissipation, in shares: stage 1 of two.
    Impacts,
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Criteria {
    /// Tolerance on the largest residual, by its scale.
    pub tolerance: f64,
    /// Most sweeps to make.
    pub max_sweeps: usize,
    /// Least scale of the residual: a velocity in m/s, for [`Stage::Impacts`] an impulse in N·s.
    pub floor: f64,
    /// Whether the sweeps are accelerated by momentum.
    pub accelerated: bool,
}

/// The report of a stage, and what its contacts leave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Status, sweeps and residual.
    pub report: Report,
    /// Largest ‖Λto‖ − μΛn over the contacts, in N·s; zero or less to round-off where all impulses are in their cones.
    pub cone_violation: f64,
    /// Largest closing speed left beyond what gap and correction allow, in m/s.
    pub approach: f64,
    /// Impulses that the law did not certify.
    pub uncertified: u32,
    /// Contacts with ‖e‖ ≥ 1 and an impulse: shocks, if nothing hit.
    pub shocks: u32,
}

impl Outcome {
    /// The outcome where nothing had to be solved.
    pub const NOTHING: Self =
        Self { report: Report::EMPTY, cone_violation: 0.0, approach: 0.0, uncertified: 0, shocks: 0 };
}

impl ContactSolver {
    /// Sweeps over the loaded contacts. The law is chosen here, once: below it is a type.
    pub fn solve(&mut self, stage: Stage, criteria: &Criteria) -> Outcome {
        match stage {
            Stage::MaxDissipation => self.solve_by(OneStage(MaxDissipation), criteria),
            Stage::Coulomb => self.solve_by(OneStage(Coulomb), criteria),
            Stage::CoulombLeast => self.solve_by(OneStage(CoulombLeast), criteria),
            Stage::Cone => self.solve_by(OneStage(Cone), criteria),
            Stage::Frictionless => self.solve_by(OneStage(Frictionless), criteria),
            Stage::Impacts => self.solve_by(Impacts(MaxDissipation), criteria),
        }
    }

    fn solve_by<R: Rule>(&mut self, rule: R, criteria: &Criteria) -> Outcome {
        if self.balls.is_empty() && self.generals.is_empty() {
            return Outcome::NOTHING;
        }
        let mut hot = std::mem::take(&mut self.hot);
        let outcome = if rayon::current_num_threads() == 1 {
            self.sweeps(&hot.single(), rule, criteria)
        } else {
            hot.share();
            let outcome = self.sweeps(&hot.shared(), rule, criteria);
            hot.join();
            outcome
        };
        self.hot = hot;
        outcome
    }

    fn sweeps<R: Rule>(&mut self, bodies: &impl Bodies, rule: R, criteria: &Criteria) -> Outcome {
        self.in_colours(
            bodies,
            |balls, bodies, _| balls.iter().for_each(|c| c.apply(bodies)),
            |generals, bodies, inverse, _, _| generals.iter().for_each(|c| c.apply(bodies, inverse)),
        );
        let count = (self.balls.len() + self.generals.len()) as f64;
        let residual = |tally: &Tally| {
            let scale = tally.scale.sqrt().max(criteria.floor);
            let by = |r: f64| if r == 0.0 { 0.0 } else { r / scale };
            // The largest skips what is not a number; the sum does not.
            if tally.squares.is_finite() {
                (by(tally.largest.sqrt()), by((tally.squares / count).sqrt()))
            } else {
                (f64::NAN, f64::NAN)
            }
        };
        let mut damping = Damping::new(criteria.accelerated);
        let mut acceleration = Acceleration::default();
        let mut beta = 0.0;
        self.motions.clear();
        if criteria.accelerated {
            self.motions.extend((0..bodies.len()).map(|i| Motion::of(&bodies.get(i as u32))));
        }
        let mut sweeps = 0;
        let (status, tally) = loop {
            if sweeps == criteria.max_sweeps {
                break (Status::SweepLimit, self.measure(bodies, rule));
            }
            sweeps += 1;
            let pace = Pace { damping: damping.factor(), momentum: damping.accelerated().then_some(beta) };
            if let Some(beta) = pace.momentum.filter(|_| sweeps > 1) {
                bodies.all(&mut self.motions, |i, motion, bodies| {
                    let (linear, angular) = motion.step(&bodies.get(i), beta);
                    bodies.set(i, &linear, &angular);
                });
            }
            let swept = self.in_colours(
                bodies,
                |balls, bodies, tally| balls.iter_mut().for_each(|c| c.visit(bodies, rule, pace, tally)),
                |generals, bodies, inverse, serial, tally| {
                    if serial {
                        generals.iter_mut().for_each(|c| c.visit(bodies, inverse, rule, pace, tally));
                    } else {
                        General::visit_together(generals, bodies, inverse, rule, pace, tally);
                    }
                },
            );
            beta = acceleration.beta(swept.energy);
            let (last, rms) = residual(&swept);
            if last.is_nan() {
                break (Status::NotFinite, self.measure(bodies, rule));
            }
            if last <= criteria.tolerance {
                // Each contact was visited at another time: see what is left now.
                let now = self.measure(bodies, rule);
                if residual(&now).0 <= criteria.tolerance {
                    break (Status::Converged, now);
                }
            }
            if damping.observe(rms) == Verdict::Cycling {
                break (Status::Cycling, self.measure(bodies, rule));
            }
        };
        let (largest, rms) = residual(&tally);
        let status = match status {
            Status::SweepLimit if largest <= criteria.tolerance => Status::Converged,
            _ if largest.is_nan() => Status::NotFinite,
            other => other,
        };
        Outcome {
            report: Report { status, sweeps, residual: largest, residual_rms: rms, damping: damping.factor() },
            cone_violation: tally.cone_violation,
            approach: tally.approach,
            uncertified: tally.uncertified,
            shocks: tally.shocks,
        }
    }

    /// Calls `ball` or `general` for the chunks of each colour, colour by colour; returns the tally of all in the order of
    /// chunks. `general` is told whether the contacts are those that found no colour: they share bodies.
    fn in_colours<B: Bodies>(
        &mut self,
        bodies: &B,
        ball: impl Fn(&mut [Ball], &B, &mut Tally) + Sync + Send,
        general: impl Fn(&mut [General], &B, &[Mat3], bool, &mut Tally) + Sync + Send,
    ) -> Tally {
        let Self { balls, generals, groups, inverse, tallies, .. } = self;
        let inverse = inverse.as_slice();
        tallies.fill(Tally::default());
        let mut rest = tallies.as_mut_slice();
        for Group { balls: (b0, b1), generals: (g0, g1), serial } in groups.iter().copied() {
            let (ours, after) = rest.split_at_mut((b1 - b0).div_ceil(CHUNK));
            let (theirs, after) = after.split_at_mut((g1 - g0).div_ceil(CHUNK));
            rest = after;
            let (balls, generals) = (&mut balls[b0..b1], &mut generals[g0..g1]);
            if serial {
                for (balls, tally) in balls.chunks_mut(CHUNK).zip(ours) {
                    ball(balls, bodies, tally);
                }
                for (generals, tally) in generals.chunks_mut(CHUNK).zip(theirs) {
                    general(generals, bodies, inverse, serial, tally);
                }
            } else {
                bodies.each(balls, ours, &ball);
                bodies.each(generals, theirs, |c, bodies, tally| general(c, bodies, inverse, serial, tally));
            }
        }
        sum(tallies)
    }

    /// The residuals at the present velocities; sets the states.
    fn measure<R: Rule>(&mut self, bodies: &impl Bodies, rule: R) -> Tally {
        let Self { balls, generals, tallies, states, .. } = self;
        tallies.fill(Tally::default());
        let (ours, theirs) = tallies.split_at_mut(balls.len().div_ceil(CHUNK));
        let (ball_states, general_states) = states.split_at_mut(balls.len());
        bodies.inspect(balls, ball_states, ours, |c, bodies, tally| c.measure(bodies, rule, tally));
        bodies.inspect(generals, general_states, theirs, |c, bodies, tally| c.measure(bodies, rule, tally));
        sum(tallies)
    }
}

fn sum(tallies: &[Tally]) -> Tally {
    tallies.iter().fold(Tally::default(), Tally::with)
}
