//! Points with data, as VTK's unstructured grid in XML (`.vtu`), which ParaView opens.
//!
//! Each array stands in its `DataArray` element in base64: its length in bytes as a u64, then its values, little-endian.

use crate::math::Vec3;

/// A named array of data on the points.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Name, with its unit.
    pub name: String,
    /// Numbers per point.
    pub components: usize,
    /// The numbers, point after point.
    pub values: Vec<f64>,
}

/// A cloud of points with data.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Cloud {
    /// Where the points are, in m.
    pub points: Vec<Vec3>,
    /// Data on the points.
    pub arrays: Vec<Array>,
}

impl Cloud {
    /// Adds an array with `components` numbers for each point.
    pub fn push(&mut self, name: &str, components: usize, values: Vec<f64>) {
        assert_eq!(values.len(), components * self.points.len(), "array `{name}` does not fit the points");
        self.arrays.push(Array { name: name.to_owned(), components, values });
    }

    /// The text of the `.vtu` file at the simulated time `time`, in s.
    pub fn to_vtu(&self, time: f64) -> String {
        let n = self.points.len();
        let mut xml = String::new();
        let mut put = |text: &str| xml.push_str(text);
        put("<?xml version=\"1.0\"?>\n");
        put("<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n");
        put("<UnstructuredGrid>\n<FieldData>\n");
        put(&format!(
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:?}</DataArray>\n"
        ));
        put(&format!("</FieldData>\n<Piece NumberOfPoints=\"{n}\" NumberOfCells=\"{n}\">\n<Points>\n"));
        put(&element("Float64", "Points", 3, self.points.iter().flat_map(|p| p.iter()).flat_map(|x| x.to_le_bytes())));
        put("</Points>\n<Cells>\n");
        put(&element("Int64", "connectivity", 1, (0..n as i64).flat_map(i64::to_le_bytes)));
        put(&element("Int64", "offsets", 1, (1..=n as i64).flat_map(i64::to_le_bytes)));
        // 1 is VTK_VERTEX.
        put(&element("UInt8", "types", 1, std::iter::repeat_n(1, n)));
        put("</Cells>\n<PointData>\n");
        for array in &self.arrays {
            let bytes = array.values.iter().flat_map(|x| x.to_le_bytes());
            put(&element("Float64", &array.name, array.components, bytes));
        }
        put("</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
        xml
    }

    /// Reads a file that [`Cloud::to_vtu`] wrote; `None` if it is another or damaged.
    pub fn from_vtu(xml: &str) -> Option<Self> {
        // A torn file has no end.
        xml.trim_end().strip_suffix("</VTKFile>")?;
        let mut cloud = Self::default();
        for element in xml.split("<DataArray ").skip(1) {
            let (head, rest) = element.split_once('>')?;
            let name = attribute(head, "Name")?;
            if attribute(head, "format") != Some("binary") || attribute(head, "type") != Some("Float64") {
                continue;
            }
            let bytes = decode(rest.split('<').next()?)?;
            let (length, values) = bytes.split_at_checked(8)?;
            if u64::from_le_bytes(length.try_into().ok()?) != values.len() as u64 {
                return None;
            }
            let values: Vec<f64> =
                values.chunks_exact(8).map(|x| f64::from_le_bytes(x.try_into().expect("chunks of 8"))).collect();
            if name == "Points" {
                cloud.points = values.chunks_exact(3).map(Vec3::from_column_slice).collect();
            } else {
                let components: usize = attribute(head, "NumberOfComponents")?.parse().ok()?;
                (values.len() == components * cloud.points.len()).then_some(())?;
                cloud.push(name, components, values);
            }
        }
        Some(cloud)
    }

    /// The array called `name`.
    pub fn array(&self, name: &str) -> Option<&Array> {
        self.arrays.iter().find(|array| array.name == name)
    }
}

fn element(kind: &str, name: &str, components: usize, bytes: impl Iterator<Item = u8>) -> String {
    let mut data = vec![0; 8];
    data.extend(bytes);
    let length = (data.len() - 8) as u64;
    data[..8].copy_from_slice(&length.to_le_bytes());
    format!(
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">{}</DataArray>\n",
        encode(&data)
    )
}

fn attribute<'x>(head: &'x str, name: &str) -> Option<&'x str> {
    head.split_once(&format!("{name}=\""))?.1.split('"').next()
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base64 with padding (RFC 4648).
fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().enumerate().fold(0_u32, |word, (i, byte)| word | u32::from(*byte) << (16 - 8 * i));
        for i in 0..4 {
            let digit = ALPHABET[(word >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim().trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for chunk in digits.chunks(4) {
        let mut word = 0_u32;
        for (i, digit) in chunk.iter().enumerate() {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            word |= u32::from(value) << (18 - 6 * i);
        }
        bytes.extend_from_slice(&word.to_be_bytes()[1..chunk.len()]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        // The examples of RFC 4648, section 10.
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(encode(plain.as_bytes()), coded);
            assert_eq!(decode(coded).expect("valid"), plain.as_bytes());
        }
    }

    #[test]
    fn a_cloud_comes_back_to_the_bit_and_a_torn_file_is_seen() {
        let mut cloud = Cloud { points: vec![Vec3::new(0.1, -0.0, 3e-300), Vec3::repeat(2.0)], arrays: Vec::new() };
        cloud.push("radius_m", 1, vec![0.5, 0.25]);
        cloud.push("velocity_m_per_s", 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let xml = cloud.to_vtu(0.5);
        assert_eq!(Cloud::from_vtu(&xml).expect("whole"), cloud);
        assert!(Cloud::from_vtu(&xml[..xml.len() / 2]).is_none());
        let empty = Cloud::default();
        assert_eq!(Cloud::from_vtu(&empty.to_vtu(0.0)).expect("whole"), empty);
    }
}
