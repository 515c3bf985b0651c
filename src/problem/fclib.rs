//! Contact problems in the HDF5 format of FCLIB.
//!
//! ```text
//! /fclib_local    W, vectors/q, vectors/mu                     u = W r + q
//! /fclib_global   M, H, vectors/f, vectors/w, vectors/mu       M v = H r + f,  u = Hᵀ v + w
//!
//! spacedim  3
//! matrix    m rows, n columns, nz, nzmax, p, i, x
//!           nz = −1   by columns: p starts of columns [n + 1], i rows
//!           nz = −2   by rows: p starts of rows [m + 1], i columns
//!           nz ≥ 0    nz triplets: p columns, i rows
//! ```
//!
//! The bilateral parts that the format knows (V, R, s; global: G, b) are refused where they are not empty. `/solution` and
//! `/guesses` are not read.

use crate::error::Error;
use crate::error::Result;
use crate::problem::ContactProblem;
use crate::problem::global::GlobalProblem;
use crate::problem::sparse::SparseMatrix;
use crate::problem::sparse::local_problem;
use hdf5_pure::File;
use hdf5_pure::FileBuilder;
use hdf5_pure::Group;

/// Most bytes of data for each byte of the file: what compression reaches for equal numbers.
const COMPRESSION: u64 = 1024;

/// Whether the bytes are an HDF5 file, also behind a user block.
pub fn is_hdf5(bytes: &[u8]) -> bool {
    hdf5_pure::is_hdf5_bytes(bytes)
}

/// Reads a contact problem.
///
/// # Errors
///
/// [`Error::Input`] with what is wrong and where: a damaged file, a missing or wrong data set, two dimensions, rolling
/// friction, bilateral parts, and as [`ContactProblem::new`].
pub fn read(bytes: &[u8]) -> Result<ContactProblem> {
    let file = File::from_bytes(bytes.to_vec())
        .map_err(|error| Error::input("", format!("not readable as HDF5: {error}"), "the file is damaged"))?;
    let root = file.root();
    let groups =
        root.groups().map_err(|error| Error::input("/", format!("not readable: {error}"), "the file is damaged"))?;
    let limit = COMPRESSION.saturating_mul(bytes.len() as u64);
    let has = |name: &str| groups.iter().any(|group| group == name);
    if has("fclib_local") {
        Folder::open(&root, "fclib_local", "", limit)?.local()
    } else if has("fclib_global") {
        Folder::open(&root, "fclib_global", "", limit)?.global()
    } else if has("fclib_global_rolling") || has("fclib_local_rolling") {
        Err(Error::input("/", "a problem with rolling friction", "only sliding friction is solved"))
    } else {
        let what = format!("neither fclib_local nor fclib_global among the groups [{}]", groups.join(", "));
        Err(Error::input("/", what, "this is no FCLIB file"))
    }
}

/// Writes a contact problem as `/fclib_local`, W by columns. [`read`] gives back the same bits.
///
/// # Errors
///
/// [`Error::Input`] if the problem has more entries than the format, with its indices of 32 bits, can count.
pub fn write(problem: &ContactProblem) -> Result<Vec<u8>> {
    let n = problem.len();
    let index = |k: usize| {
        let remedy = "use JSON or the Siconos text format";
        i32::try_from(k).map_err(|_| Error::input("W", "more entries than 32-bit indices can count", remedy))
    };
    let mut starts = vec![0_i32];
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for column in 0..3 * n {
        // W is symmetric to the last bit: column j is row j.
        for block in problem.row(column / 3) {
            for (k, &x) in block.a.row(column % 3).iter().enumerate() {
                rows.push(index(3 * block.column + k)?);
                values.push(x);
            }
        }
        starts.push(index(rows.len())?);
    }
    let (size, count) = (index(3 * n)?, index(rows.len())?);
    let q: Vec<f64> = problem.b().iter().flat_map(|b| [-b.x, -b.y, -b.z]).collect();

    let mut file = FileBuilder::new();
    let mut local = file.create_group("fclib_local");
    local.create_dataset("spacedim").with_i32_data(&[3]);
    let mut w = local.create_group("W");
    for (name, value) in [("m", size), ("n", size), ("nz", -1), ("nzmax", count)] {
        w.create_dataset(name).with_i32_data(&[value]);
    }
    w.create_dataset("p").with_i32_data(&starts);
    // An HDF5 data set without elements is legal but unusual: an empty problem leaves these out.
    if n > 0 {
        w.create_dataset("i").with_i32_data(&rows);
        w.create_dataset("x").with_f64_data(&values);
    }
    local.add_group(w.finish());
    let mut vectors = local.create_group("vectors");
    if n > 0 {
        vectors.create_dataset("q").with_f64_data(&q);
        vectors.create_dataset("mu").with_f64_data(problem.mu());
    }
    local.add_group(vectors.finish());
    file.add_group(local.finish());
    file.finish().map_err(|error| Error::input("", format!("HDF5 could not be written: {error}"), ""))
}

/// A group of the file, with its path for messages.
struct Folder {
    group: Group,
    path: String,
    /// Most bytes that a data set of this file can hold.
    limit: u64,
}

impl Folder {
    fn open(parent: &Group, name: &str, path: &str, limit: u64) -> Result<Self> {
        let path = format!("{path}/{name}");
        let group = parent
            .group(name)
            .map_err(|error| Error::input(&path, format!("not readable: {error}"), "this group is needed"))?;
        Ok(Self { group, path, limit })
    }

    fn folder(&self, name: &str) -> Result<Self> {
        Self::open(&self.group, name, &self.path, self.limit)
    }

    fn holds(&self, name: &str) -> bool {
        let among =
            |names: std::result::Result<Vec<String>, _>| names.is_ok_and(|names| names.iter().any(|n| n == name));
        among(self.group.datasets()) || among(self.group.groups())
    }

    fn local(&self) -> Result<ContactProblem> {
        self.check_dimension()?;
        self.refuse_bilateral(&["V", "R"], &["s"])?;
        let w = self.folder("W")?.matrix()?;
        let vectors = self.folder("vectors")?;
        let (q, mu) = (vectors.numbers("q", w.rows)?, vectors.numbers("mu", w.rows / 3)?);
        local_problem(&w, &q, mu)
    }

    fn global(&self) -> Result<ContactProblem> {
        self.check_dimension()?;
        self.refuse_bilateral(&["G"], &["b"])?;
        let (m, h) = (self.folder("M")?.matrix()?, self.folder("H")?.matrix()?);
        let vectors = self.folder("vectors")?;
        let q = vectors.numbers("f", m.rows)?;
        let b = vectors.numbers("w", h.columns)?;
        let mu = vectors.numbers("mu", h.columns / 3)?;
        GlobalProblem { m, h, q, b, mu }.reduce()
    }

    fn check_dimension(&self) -> Result<()> {
        let key = format!("{}/spacedim", self.path);
        match self.whole("spacedim")? {
            3 => Ok(()),
            2 => Err(Error::input(key, "2", "only problems in three dimensions are solved")),
            d => Err(Error::input(key, d.to_string(), "3 is needed")),
        }
    }

    /// Refuses equality constraints: matrices with a row and a column, vectors with an element.
    fn refuse_bilateral(&self, matrices: &[&str], vectors: &[&str]) -> Result<()> {
        let refuse = |name: &str| {
            let key = format!("{}/{name}", self.path);
            Err(Error::input(key, "bilateral constraints", "only problems of contacts alone are solved"))
        };
        for &name in matrices {
            if self.holds(name) {
                let matrix = self.folder(name)?;
                if matrix.whole("m")? > 0 && matrix.whole("n")? > 0 {
                    return refuse(name);
                }
            }
        }
        let folder = self.folder("vectors")?;
        for &name in vectors {
            if folder.holds(name) && folder.size(name)? > 0 {
                return refuse(&format!("vectors/{name}"));
            }
        }
        Ok(())
    }

    fn matrix(&self) -> Result<SparseMatrix> {
        let size = |name: &str| {
            let value = self.whole(name)?;
            usize::try_from(value)
                .map_err(|_| Error::input(format!("{}/{name}", self.path), value.to_string(), "a size is 0 or more"))
        };
        let (rows, columns, nz) = (size("m")?, size("n")?, self.whole("nz")?);
        if rows == 0 || columns == 0 {
            return Ok(SparseMatrix { rows, columns, entries: Vec::new() });
        }
        let entries = match nz {
            -1 => self.compressed(columns)?.into_iter().map(|(column, row, x)| (row, column, x)).collect(),
            -2 => self.compressed(rows)?,
            0.. => {
                let count = size("nz")?;
                let (p, i, x) = (self.indices("p")?, self.indices("i")?, self.all_numbers("x")?);
                if p.len().min(i.len()).min(x.len()) < count {
                    let what = format!("{count} triplets, but only {} p, {} i, {} x", p.len(), i.len(), x.len());
                    return Err(Error::input(&self.path, what, "each triplet needs one of each"));
                }
                (0..count).map(|k| (i[k], p[k], x[k])).collect()
            }
            _ => {
                let key = format!("{}/nz", self.path);
                return Err(Error::input(
                    key,
                    nz.to_string(),
                    "−1 (columns), −2 (rows) or a number of triplets is needed",
                ));
            }
        };
        if let Some((row, column, _)) = entries.iter().find(|entry| entry.0 >= rows || entry.1 >= columns) {
            let what = format!("an entry at ({row}, {column})");
            return Err(Error::input(&self.path, what, format!("the matrix is {rows}×{columns}, counted from 0")));
        }
        Ok(SparseMatrix { rows, columns, entries })
    }

    /// Compressed rows or columns: (line, place in the line, value).
    fn compressed(&self, lines: usize) -> Result<Vec<(usize, usize, f64)>> {
        let (p, i, x) = (self.indices("p")?, self.indices("i")?, self.all_numbers("x")?);
        let count = p.last().copied().unwrap_or(0);
        let fits = p.len() == lines.saturating_add(1) && p[0] == 0 && p.is_sorted() && count <= i.len().min(x.len());
        if !fits {
            let what = format!("{} starts up to {count}, with {} i and {} x", p.len(), i.len(), x.len());
            return Err(Error::input(
                format!("{}/p", self.path),
                what,
                format!("{lines} + 1 ascending starts from 0 are needed"),
            ));
        }
        let line = |(line, ends): (usize, &[usize])| (ends[0]..ends[1]).map(move |k| (line, k)).collect::<Vec<_>>();
        Ok(p.windows(2).enumerate().flat_map(line).map(|(line, k)| (line, i[k], x[k])).collect())
    }

    /// A single whole number.
    fn whole(&self, name: &str) -> Result<i64> {
        match self.integers(name)?.as_slice() {
            [value] => Ok(*value),
            values => {
                let key = format!("{}/{name}", self.path);
                Err(Error::input(key, format!("{} numbers", values.len()), "one is needed"))
            }
        }
    }

    fn indices(&self, name: &str) -> Result<Vec<usize>> {
        let index = |value: i64| {
            usize::try_from(value).map_err(|_| {
                Error::input(format!("{}/{name}", self.path), format!("{value} as an index"), "indices count from 0")
            })
        };
        self.integers(name)?.into_iter().map(index).collect()
    }

    fn integers(&self, name: &str) -> Result<Vec<i64>> {
        self.read(name, |data| data.read_i64())
    }

    fn all_numbers(&self, name: &str) -> Result<Vec<f64>> {
        self.read(name, |data| data.read_f64())
    }

    /// A vector that must have `count` numbers; one of none may be missing.
    fn numbers(&self, name: &str, count: usize) -> Result<Vec<f64>> {
        if count == 0 && !self.holds(name) {
            return Ok(Vec::new());
        }
        let numbers = self.all_numbers(name)?;
        if numbers.len() != count {
            let key = format!("{}/{name}", self.path);
            return Err(Error::input(key, format!("{} numbers", numbers.len()), format!("{count} are needed")));
        }
        Ok(numbers)
    }

    /// Number of elements that a data set declares.
    fn size(&self, name: &str) -> Result<u64> {
        let shape =
            self.group.dataset(name).and_then(|data| data.shape()).map_err(|error| self.unreadable(name, &error))?;
        Ok(shape.iter().fold(1, |product: u64, &extent| product.saturating_mul(extent)))
    }

    fn read<T>(
        &self,
        name: &str,
        read: impl FnOnce(&hdf5_pure::Dataset) -> std::result::Result<Vec<T>, hdf5_pure::Error>,
    ) -> Result<Vec<T>> {
        let unreadable = |error| self.unreadable(name, &error);
        let data = self.group.dataset(name).map_err(unreadable)?;
        let bytes = data.element_size().map_err(unreadable)?.saturating_mul(self.size(name)?);
        if bytes > self.limit {
            let what = format!("declares {bytes} bytes of data");
            let remedy = "this is more than a file of this size can hold: the file is damaged";
            return Err(Error::input(format!("{}/{name}", self.path), what, remedy));
        }
        read(&data).map_err(unreadable)
    }

    fn unreadable(&self, name: &str, error: &hdf5_pure::Error) -> Error {
        let key = format!("{}/{name}", self.path);
        Error::input(key, format!("not readable: {error}"), "this data set is needed")
    }
}
