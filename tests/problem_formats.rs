//! The three file formats of contact problems: round trips to the same bits, and what is refused with which words.

use hdf5_pure::FileBuilder;
use hdf5_pure::GroupBuilder;
use maxdiss::error::Error;
use maxdiss::math::Mat3;
use maxdiss::math::Vec3;
use maxdiss::problem::Block;
use maxdiss::problem::ContactProblem;
use maxdiss::problem::fclib;
use maxdiss::problem::json;
use maxdiss::problem::read;
use maxdiss::problem::siconos;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// Contact problems made by other programs; absent on most machines.
fn reference_problems() -> Option<Vec<(String, Vec<u8>)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/reference/problems");
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: {} is absent", folder.display());
        return None;
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be listed").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ext| ext == "dat" || ext == "hdf5"));
    paths.sort();
    assert_eq!(paths.len(), 21, "problems in {}", folder.display());
    let name = |path: &Path| path.file_name().expect("a file").to_string_lossy().into_owned();
    Some(paths.iter().map(|path| (name(path), fs::read(path).expect("readable"))).collect())
}

/// Three contacts in a row, with numbers that have no short decimal form, and both ends of the range.
fn chain() -> ContactProblem {
    let a = Mat3::new(2.1, 0.3, -1.0 / 3.0, 0.3, 1.7, 0.1, -1.0 / 3.0, 0.1, 1.9);
    let c = Mat3::new(-0.1, 0.2, 0.0, 1e-17, 0.3, 5e-324, 0.7 / 3.0, 0.0, 0.1);
    let block = |row, column, a| Block { row, column, a };
    let blocks = vec![
        block(1, 2, c),
        block(2, 1, c.transpose()),
        block(0, 0, a),
        block(1, 1, a / 7.0),
        block(2, 2, a * 1e150),
        block(0, 2, Mat3::zeros()),
    ];
    let b = vec![Vec3::new(0.1, 0.2, 0.3), Vec3::new(-1e-300, 0.0, -0.0), Vec3::new(f64::MAX, 1.0, f64::MIN_POSITIVE)];
    ContactProblem::new(blocks, b, vec![0.0, 0.1 + 0.2, 1e6]).expect("valid")
}

fn written(problem: &ContactProblem) -> [(&'static str, Vec<u8>); 3] {
    [
        ("JSON", json::write(problem).into_bytes()),
        ("Siconos", siconos::write(problem).into_bytes()),
        ("FCLIB", fclib::write(problem).expect("small enough")),
    ]
}

/// Every number, bit by bit: `==` would let −0 pass for 0.
fn bits(problem: &ContactProblem) -> Vec<u64> {
    let blocks = problem.blocks().iter();
    let mut bits: Vec<u64> = blocks.clone().flat_map(|block| [block.row as u64, block.column as u64]).collect();
    bits.extend(blocks.flat_map(|block| block.a.iter()).map(|x| x.to_bits()));
    bits.extend(problem.b().iter().flat_map(|b| b.iter()).map(|x| x.to_bits()));
    bits.extend(problem.mu().iter().map(|x| x.to_bits()));
    bits
}

#[test]
fn every_writer_gives_back_the_same_bits() {
    let one = ContactProblem::one(&Mat3::new(2.0, 0.1, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, 1.0), &Vec3::x(), 0.3);
    let empty = ContactProblem::new(vec![], vec![], vec![]);
    for problem in [chain(), one.expect("valid"), empty.expect("valid")] {
        for (format, bytes) in written(&problem) {
            let again = read(&bytes).unwrap_or_else(|error| panic!("{format}, {} contacts: {error}", problem.len()));
            assert_eq!(bits(&again), bits(&problem), "{format}, {} contacts", problem.len());
            assert!(again.notes().is_empty(), "{format}: {:?}", again.notes());
        }
    }
}

#[test]
fn problems_of_other_programs_are_read_and_written_back_to_the_same_bits() {
    for (name, bytes) in reference_problems().unwrap_or_default() {
        let problem = read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        for (format, bytes) in written(&problem) {
            let again = read(&bytes).unwrap_or_else(|error| panic!("{name} as {format}: {error}"));
            assert_eq!(bits(&again), bits(&problem), "{name} as {format}");
        }
        println!("{name}: {} contacts, {} blocks, {:?}", problem.len(), problem.blocks().len(), problem.notes());
    }
}

#[test]
fn the_asymmetry_of_other_programs_is_reported() {
    for (name, bytes) in reference_problems().unwrap_or_default() {
        let notes = read(&bytes).expect("valid").notes().join("\n");
        if name.starts_with("Rover") {
            assert!(notes.contains("symmetrised: asymmetry"), "{name}: \"{notes}\"");
        }
        if name == "GFC3D_OneContact.dat" {
            assert!(notes.contains("reduced from the global problem of 39 velocities"), "{name}: \"{notes}\"");
        }
    }
}

fn refused(bytes: &[u8]) -> String {
    match read(bytes) {
        Err(Error::Input(faults)) => {
            assert!(!faults.is_empty(), "an error without a fault");
            faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        }
        Err(error) => panic!("no input error: {error}"),
        Ok(problem) => panic!("accepted, with {} contacts", problem.len()),
    }
}

fn assert_named(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "\"{part}\" is not in: {message}");
    }
}

#[test]
fn what_is_no_contact_problem_is_refused() {
    assert_named(&refused(b""), &["empty", "JSON", "Siconos", "FCLIB"]);
    assert_named(&refused(b" \n\t"), &["empty"]);
    assert_named(&refused(b"hello world"), &["begins with \"hello\"", "JSON"]);
    assert_named(&refused(&[0xff, 0xfe, 0x00]), &["neither HDF5 nor text"]);
    assert_named(&refused(b"[1, 2]"), &["JSON", "delassus"]);
}

const DENSE: &str = "3 1\n0\n3 3\n3 3\n2 0 0\n0 1 0\n0 0 1\n-1 -2 -3\n0.5\n";

#[test]
fn the_flag_of_older_siconos_files_is_ignored() {
    for flag in ["", "0", "1\n"] {
        let problem = siconos::read(&format!("{DENSE}{flag}")).expect("valid");
        assert_eq!(problem.b(), [Vec3::new(1.0, 2.0, 3.0)]);
        assert_eq!(problem.mu(), [0.5]);
    }
}

#[test]
fn dense_and_block_matrices_of_siconos_state_the_same_problem() {
    let dense = "0\n3 3\n3 3\n2 0 0\n0 1 0\n0 0 1\n";
    assert!(DENSE.contains(dense));
    let blocks = DENSE.replace(dense, "1\n3 3\n1\n1 1\n3\n3\n2 1\n0 1\n0\n0\n2 0 0\n0 1 0\n0 0 1\n");
    assert_eq!(bits(&siconos::read(&blocks).expect("valid")), bits(&siconos::read(DENSE).expect("valid")));
}

#[test]
fn a_global_problem_of_siconos_is_told_from_a_local_one_of_the_same_size_and_read_by_columns() {
    // A free point mass of 4 kg at the velocity (1, 2, 3), whose axes the contact takes as o, n and, doubled, t.
    let m = "0 3 3 3 3  4 0 0  0 4 0  0 0 4";
    let h = "0 3 3 3 3  0 1 0  0 0 2  1 0 0";
    let problem = siconos::read(&format!("3 1 {m} {h}  4 8 12  0 0 0.5  0.7")).expect("valid");
    assert_eq!(*problem.diagonal(0), Mat3::from_diagonal(&Vec3::new(0.25, 1.0, 0.25)));
    assert_eq!(problem.b(), [Vec3::new(-2.0, -6.0, -1.5)]);
    assert_eq!(problem.mu(), [0.7]);
}

#[test]
fn siconos_files_that_cannot_be_used_are_refused_with_line_and_remedy() {
    let edit = |from: &str, to: &str| {
        assert!(DENSE.contains(from), "{from}");
        refused(DENSE.replacen(from, to, 1).as_bytes())
    };
    assert_named(&edit("0.5\n", ""), &["ends too early", "1 numbers of mu are needed, 0 are left", "cut off"]);
    assert_named(&edit("0.5\n", "0.5\n0\n7\n"), &["too long by 1 words", "beginning with \"7\""]);
    assert_named(&edit("0.5\n", "0.5\n0.25\n"), &["too long by 1 words", "beginning with \"0.25\""]);
    assert_named(&edit("3 1\n", "2 1\n"), &["dimension is 2", "three dimensions"]);
    assert_named(&edit("3 1\n", "5 1\n"), &["dimension is 5", "rolling friction"]);
    assert_named(&edit("3 1\n", "4 1\n"), &["dimension is 4"]);
    assert_named(&edit("3 1\n", "3 -1\n"), &["\"-1\" as the number of contacts", "whole number"]);
    assert_named(&edit("3 1\n0\n", "3 1\n2\n"), &["storage 2", "printed sparse matrix"]);
    assert_named(&edit("3 1\n0\n", "3 1\n9\n"), &["storage 9"]);
    assert_named(&edit("3 3\n3 3\n", "3 3\n3 4\n"), &["3×3", "3×4", "agree"]);
    assert_named(&edit("-2", "nan"), &["\"nan\" in q", "finite"]);
    assert_named(&edit("-2", "1e999"), &["\"1e999\" in q", "finite"]);
    assert_named(&edit("-2", "two"), &["\"two\" in q", "a number is needed"]);
    assert_named(&edit("0.5", "-0.5"), &["mu[0]", "negative"]);
    assert_named(&edit("0 1 0", "0 -1 0"), &["block (0, 0) of A", "not positive definite"]);
    let line = siconos::read(&DENSE.replace("-2", "two")).expect_err("a word");
    let Error::Input(faults) = line else { panic!("{line}") };
    assert_eq!(faults[0].line, Some(8), "{}", faults[0]);
}

#[test]
fn huge_declared_sizes_are_refused_before_memory_is_asked_for() {
    let huge = ["999999999999", "18446744073709551615", "6148914691236517206"];
    for size in huge {
        assert_named(&refused(format!("3 {size} 0 3 3 3 3 1 2 3").as_bytes()), &["needed", "cut off"]);
        assert_named(&refused(format!("3 1 0 {size} {size} {size} {size} 1 2 3 4").as_bytes()), &["needed"]);
        assert_named(&refused(format!("3 1 1 3 3 {size} {size} {size} 3 3 1 2").as_bytes()), &["needed"]);
        assert_named(&refused(format!("3 1 1 3 3 1 1 1 3 3 {size} {size} 0 1").as_bytes()), &["needed"]);
    }
    let blocks = r#"{"delassus": {"blocks": [[999999999999, 0, [[1,0,0],[0,1,0],[0,0,1]]]]}, "b": [1,0,0], "mu": [1]}"#;
    assert_named(&refused(blocks.as_bytes()), &["block (999999999999, 0) of A", "only 1 contacts"]);
}

#[test]
fn a_file_cut_off_anywhere_is_refused_and_never_a_crash() {
    for (format, bytes) in written(&chain()) {
        // The last bytes may be a line end, or padding that nothing points to.
        let mut accepted = 0;
        for length in 0..bytes.len() {
            if let Ok(problem) = read(&bytes[..length]) {
                assert_eq!(problem.len(), 3, "{format} cut to {length} of {} bytes", bytes.len());
                accepted += 1;
            }
        }
        // A number that ends a text file is still a number when its last digits are missing.
        assert!(accepted <= 3, "{format}: {accepted} cuts of {} were accepted", bytes.len());
    }
}

#[test]
fn a_file_with_a_damaged_byte_never_crashes() {
    for (format, bytes) in written(&chain()) {
        for place in 0..bytes.len() {
            for mask in [0x01, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[place] ^= mask;
                if let Ok(problem) = read(&damaged) {
                    assert!(problem.len() <= 3, "{format}, byte {place}: {} contacts", problem.len());
                }
            }
        }
    }
}

/// A matrix of an FCLIB file.
struct FclibMatrix {
    rows: i32,
    columns: i32,
    nz: i32,
    p: Vec<i32>,
    i: Vec<i32>,
    x: Vec<f64>,
}

/// The 3×3 matrix [2 0.5 0; 0.5 1 0; 0 0 1] of one contact, by columns (which is also by rows).
fn compressed(nz: i32) -> FclibMatrix {
    let (p, i, x) = (vec![0, 2, 4, 5], vec![0, 1, 0, 1, 2], vec![2.0, 0.5, 0.5, 1.0, 1.0]);
    FclibMatrix { rows: 3, columns: 3, nz, p, i, x }
}

/// The same as triplets out of order, one entry in two parts, with room for more than there are.
fn triplets() -> FclibMatrix {
    let (p, i) = (vec![2, 0, 1, 0, 1, 1, 99], vec![2, 0, 0, 1, 1, 1, 99]);
    FclibMatrix { rows: 3, columns: 3, nz: 6, p, i, x: vec![1.0, 2.0, 0.5, 0.5, 0.25, 0.75, f64::NAN] }
}

fn add_matrix(parent: &mut GroupBuilder, name: &str, matrix: &FclibMatrix) {
    let mut group = parent.create_group(name);
    let room = i32::try_from(matrix.x.len()).expect("small");
    for (name, value) in [("m", matrix.rows), ("n", matrix.columns), ("nz", matrix.nz), ("nzmax", room)] {
        group.create_dataset(name).with_i32_data(&[value]);
    }
    group.create_dataset("p").with_i32_data(&matrix.p);
    group.create_dataset("i").with_i32_data(&matrix.i);
    group.create_dataset("x").with_f64_data(&matrix.x);
    parent.add_group(group.finish());
}

/// An FCLIB file with these matrices and vectors.
fn fclib_file(kind: &str, dimension: i32, matrices: &[(&str, &FclibMatrix)], vectors: &[(&str, &[f64])]) -> Vec<u8> {
    let mut file = FileBuilder::new();
    let mut problem = file.create_group(kind);
    problem.create_dataset("spacedim").with_i32_data(&[dimension]);
    matrices.iter().for_each(|(name, matrix)| add_matrix(&mut problem, name, matrix));
    let mut group = problem.create_group("vectors");
    for (name, numbers) in vectors {
        group.create_dataset(name).with_f64_data(numbers);
    }
    problem.add_group(group.finish());
    file.add_group(problem.finish());
    file.finish().expect("a valid file")
}

const Q: (&str, &[f64]) = ("q", &[-1.0, -2.0, -3.0]);
const MU: (&str, &[f64]) = ("mu", &[0.5]);

#[test]
fn rows_columns_and_triplets_of_fclib_state_the_same_matrix() {
    let a = Mat3::new(2.0, 0.5, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 1.0);
    let expected = ContactProblem::one(&a, &Vec3::new(1.0, 2.0, 3.0), 0.5).expect("valid");
    for matrix in [compressed(-1), compressed(-2), triplets()] {
        let problem = read(&fclib_file("fclib_local", 3, &[("W", &matrix)], &[Q, MU])).expect("valid");
        assert_eq!(bits(&problem), bits(&expected), "nz = {}", matrix.nz);
    }
}

#[test]
fn rows_and_columns_of_fclib_are_not_exchanged_and_its_global_problem_is_reduced() {
    // A free point mass of 4 kg at the velocity (1, 2, 3); H takes its axes as o, n and, doubled, t.
    let m = FclibMatrix { rows: 3, columns: 3, nz: -1, p: vec![0, 1, 2, 3], i: vec![0, 1, 2], x: vec![4.0, 4.0, 4.0] };
    let by_columns = FclibMatrix { i: vec![1, 2, 0], x: vec![1.0, 2.0, 1.0], p: m.p.clone(), ..m };
    let by_rows = FclibMatrix { nz: -2, i: vec![2, 0, 1], x: vec![1.0, 1.0, 2.0], p: m.p.clone(), ..m };
    let vectors: [(&str, &[f64]); 3] = [("f", &[4.0, 8.0, 12.0]), ("w", &[0.0, 0.0, 0.5]), MU];
    for h in [by_columns, by_rows] {
        let problem = read(&fclib_file("fclib_global", 3, &[("M", &m), ("H", &h)], &vectors)).expect("valid");
        assert_eq!(*problem.diagonal(0), Mat3::from_diagonal(&Vec3::new(0.25, 1.0, 0.25)), "nz = {}", h.nz);
        assert_eq!(problem.b(), [Vec3::new(-2.0, -6.0, -1.5)], "nz = {}", h.nz);
    }
}

#[test]
fn fclib_files_that_cannot_be_used_are_refused_with_place_and_remedy() {
    let w = compressed(-1);
    let local = |dimension, matrix: &FclibMatrix, vectors: &[(&str, &[f64])]| {
        refused(&fclib_file("fclib_local", dimension, &[("W", matrix)], vectors))
    };
    assert_named(&local(2, &w, &[Q, MU]), &["/fclib_local/spacedim: 2", "three dimensions"]);
    assert_named(&local(3, &w, &[Q]), &["/fclib_local/vectors/mu", "needed"]);
    assert_named(&local(3, &w, &[("q", &[1.0, 2.0]), MU]), &["/fclib_local/vectors/q: 2 numbers", "3 are needed"]);
    assert_named(&local(3, &w, &[("q", &[1.0, f64::NAN, 0.0]), MU]), &["b[1]", "finite"]);
    assert_named(&local(3, &w, &[Q, MU, ("s", &[1.0])]), &["/fclib_local/vectors/s", "bilateral"]);
    let both = [("W", &w), ("V", &w)];
    assert_named(&refused(&fclib_file("fclib_local", 3, &both, &[Q, MU])), &["/fclib_local/V", "bilateral"]);
    assert_named(&refused(&fclib_file("fclib_local", 3, &[], &[Q, MU])), &["/fclib_local/W", "needed"]);
    assert_named(&refused(&fclib_file("fclib_local_rolling", 3, &[("W", &w)], &[Q, MU])), &["rolling friction"]);
    assert_named(&refused(&fclib_file("something", 3, &[], &[Q])), &["neither fclib_local nor fclib_global"]);
    let outside = FclibMatrix { i: vec![0, 1, 0, 1, 7], ..compressed(-1) };
    assert_named(&local(3, &outside, &[Q, MU]), &["/fclib_local/W", "(7, 2)", "3×3"]);
    let negative = FclibMatrix { i: vec![0, 1, 0, -1, 2], ..compressed(-1) };
    assert_named(&local(3, &negative, &[Q, MU]), &["/fclib_local/W/i", "-1"]);
    let short = FclibMatrix { p: vec![0, 2, 5], ..compressed(-1) };
    assert_named(&local(3, &short, &[Q, MU]), &["/fclib_local/W/p", "3 + 1 ascending starts"]);
    assert_named(&local(3, &compressed(-7), &[Q, MU]), &["/fclib_local/W/nz: -7"]);
    assert_named(&local(3, &compressed(99), &[Q, MU]), &["99 triplets"]);
    let huge = FclibMatrix { rows: i32::MAX, columns: i32::MAX, ..compressed(-1) };
    assert_named(&local(3, &huge, &[Q, MU]), &["2147483647 + 1 ascending starts"]);
    assert_named(&local(3, &FclibMatrix { nz: 6, ..huge }, &[Q, MU]), &["6 triplets"]);
}

#[test]
fn fclib_files_that_are_no_contact_problem_are_refused_by_name() {
    for (name, bytes) in reference_problems().unwrap_or_default() {
        if name != "fclib_local_problem_test.hdf5" {
            continue;
        }
        // The name of a group, overwritten in place by another of the same length.
        let rename = |from: &[u8], to: &[u8]| {
            let mut bytes = bytes.clone();
            let mut found = 0;
            for k in 0..bytes.len() - from.len() {
                if bytes[k..].starts_with(from) {
                    bytes[k..k + to.len()].copy_from_slice(to);
                    found += 1;
                }
            }
            assert!(found > 0, "{:?} is not in the file", String::from_utf8_lossy(from));
            bytes
        };
        assert_named(&refused(&rename(b"fclib_local\0", b"another_one\0")), &["neither fclib_local nor fclib_global"]);
        assert_named(&refused(&rename(b"spacedim\0", b"spacemin\0")), &["/fclib_local/spacedim", "needed"]);
        assert_named(&refused(&bytes[..bytes.len() / 2]), &["damaged"]);
        // 144 components declared to be 2⁴⁰: refused, before that memory is asked for.
        let mut huge = bytes.clone();
        let (real, declared) = (144_u64.to_le_bytes(), (1_u64 << 40).to_le_bytes());
        for k in 0..bytes.len() - 8 {
            if bytes[k..].starts_with(&real) {
                huge[k..k + 8].copy_from_slice(&declared);
            }
        }
        assert_named(&refused(&huge), &["declares 8796093022208 bytes", "the file is damaged"]);
        // The layout of another writer than ours: old superblock, symbol tables, B-trees.
        for place in (0..bytes.len()).step_by(29) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0xff;
            if let Ok(problem) = read(&damaged) {
                assert!(problem.len() <= 48, "byte {place}: {} contacts", problem.len());
            }
        }
    }
}
