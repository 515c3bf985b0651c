//! The progress bar of a run, and the wish to stop it.

use crate::run::Progress;
use indicatif::ProgressBar;
use indicatif::ProgressStyle;
use std::io::IsTerminal;
use std::io::stderr;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

/// Whether the user has asked to stop, by Ctrl-C or a polite kill.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C ends a run after its step; a second one ends the program at once.
pub(super) fn listen() {
    // If there is a handler already, it is this one.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
    });
}

/// A bar on a terminal; nothing elsewhere.
pub(super) struct Bar {
    bar: Option<ProgressBar>,
    drawn: Instant,
}

impl Bar {
    /// A bar with a title; none if `quiet` or if standard error is no terminal.
    pub(super) fn new(title: &str, quiet: bool) -> Self {
        let bar = (!quiet && stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(1);
            let style = ProgressStyle::with_template("{prefix} {bar:20} step {pos}/{len}  {msg}  {eta} left");
            bar.set_style(style.expect("the template is right"));
            bar.set_prefix(title.to_owned());
            bar
        });
        Self { bar, drawn: Instant::now() }
    }

    /// Shows where the run stands.
    pub(super) fn show(&mut self, progress: &Progress) {
        let Some(bar) = &self.bar else { return };
        // Putting the words together costs more than a small step: ten times a second is enough for an eye.
        if self.drawn.elapsed() < Duration::from_millis(100) && progress.step < progress.steps {
            return;
        }
        self.drawn = Instant::now();
        bar.set_length(progress.steps);
        bar.set_position(progress.step);
        let Progress { time, contacts, sweeps, residual, .. } = progress;
        bar.set_message(format!("t = {time:.4} s  {contacts} contacts  {sweeps} sweeps  residual {residual:.1e}"));
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
