//! The series of frames: `frames/*.vtu`, two a frame, and `frames.pvd`, which lists them with their times.

use crate::error::Error;
use crate::error::Result;
use crate::recorder::atomic;
use crate::recorder::vtu::Cloud;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

/// The frames of a run directory.
#[derive(Debug)]
pub struct Frames {
    dir: PathBuf,
    /// Simulated time of each frame, in s.
    times: Vec<f64>,
}

impl Frames {
    /// The frames of the run directory `dir`, of which the first ones, at `times`, are there already; others are
    /// removed.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] with the path.
    pub fn begin(dir: &Path, times: Vec<f64>) -> Result<Self> {
        let io = |path: &Path, source| Error::Io { path: path.to_owned(), source };
        let frames = dir.join("frames");
        fs::create_dir_all(&frames).map_err(|source| io(&frames, source))?;
        for index in times.len().. {
            let mut removed = false;
            for kind in ["particles", "contacts"] {
                let path = file(dir, kind, index);
                match fs::remove_file(&path) {
                    Ok(()) => removed = true,
                    Err(source) if source.kind() == io::ErrorKind::NotFound => {}
                    Err(source) => return Err(io(&path, source)),
                }
            }
            if !removed {
                break;
            }
        }
        let frames = Self { dir: dir.to_owned(), times };
        frames.write_list()?;
        Ok(frames)
    }

    /// Adds a frame at the simulated time `time`, in s.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] with the path.
    pub fn add(&mut self, time: f64, particles: &Cloud, contacts: &Cloud) -> Result<()> {
        let index = self.times.len();
        for (kind, cloud) in [("particles", particles), ("contacts", contacts)] {
            atomic::write(&file(&self.dir, kind, index), cloud.to_vtu(time).as_bytes())?;
        }
        self.times.push(time);
        self.write_list()
    }

    /// Times of the frames, in s.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    fn write_list(&self) -> Result<()> {
        let mut xml = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
        );
        for (index, time) in self.times.iter().enumerate() {
            for (part, kind) in ["particles", "contacts"].into_iter().enumerate() {
                xml.push_str(&format!(
                    "<DataSet timestep=\"{time:?}\" group=\"\" part=\"{part}\" file=\"frames/{kind}_{index:06}.vtu\"/>\n"
                ));
            }
        }
        xml.push_str("</Collection>\n</VTKFile>\n");
        atomic::write(&self.dir.join("frames.pvd"), xml.as_bytes())
    }
}

fn file(dir: &Path, kind: &str, index: usize) -> PathBuf {
    dir.join("frames").join(format!("{kind}_{index:06}.vtu"))
}

/// The frames of the run directory `dir` up to the first that is missing or damaged: time in s, particles, contacts.
pub fn read(dir: &Path) -> Vec<(f64, Cloud, Cloud)> {
    let Ok(list) = fs::read_to_string(dir.join("frames.pvd")) else {
        return Vec::new();
    };
    let times =
        list.split("timestep=\"").skip(1).step_by(2).map_while(|rest| rest.split('"').next()?.parse::<f64>().ok());
    times
        .enumerate()
        .map_while(|(index, time)| {
            let cloud = |kind| Cloud::from_vtu(&fs::read_to_string(file(dir, kind, index)).ok()?);
            Some((time, cloud("particles")?, cloud("contacts")?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn frames_after_the_checkpoint_are_cut() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let cloud = |x: f64| Cloud { points: vec![Vec3::repeat(x)], arrays: Vec::new() };
        let mut frames = Frames::begin(dir.path(), Vec::new()).expect("begun");
        for i in 0..4 {
            frames.add(0.5 * f64::from(i), &cloud(f64::from(i)), &Cloud::default()).expect("written");
        }
        let read_back = read(dir.path());
        assert_eq!(read_back.len(), 4);
        assert_eq!(read_back[3].1, cloud(3.0));
        let frames = Frames::begin(dir.path(), frames.times()[..2].to_vec()).expect("resumed");
        assert_eq!(frames.times(), [0.0, 0.5]);
        assert_eq!(read(dir.path()).len(), 2);
        assert_eq!(fs::read_dir(dir.path().join("frames")).expect("listed").count(), 4);
    }
}
