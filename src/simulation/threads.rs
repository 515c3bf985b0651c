//! A pool of threads of a given size.

use crate::error::Error;
use crate::error::Result;

/// Does `work` on a pool of `threads` threads; results do not depend on their number.
///
/// # Errors
///
/// If the system gives no such pool.
pub fn in_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Error::input("threads", format!("{threads}: {error}"), "ask for fewer threads"))?;
    Ok(pool.install(work))
}

/// The number of threads used where none is asked for: as many as the machine runs at once.
pub fn available_threads() -> usize {
    rayon::current_num_threads()
}
