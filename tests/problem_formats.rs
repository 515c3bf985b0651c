//! The three file formats of contact problems: round trips to the same bits, and what is refused with which words.

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
