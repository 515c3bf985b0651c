//! Numbers as they are written in text: a true minus sign, powers of ten with superscripts.

/// 10ᵏ, with 1 and 10 as such.
pub fn power_of_ten(k: i32) -> String {
    match k {
        0 => "1".into(),
        1 => "10".into(),
        _ => format!("10{}", superscript(k)),
    }
}

/// A number to `digits` significant digits: 0.0123, 1230, 1.23·10⁻⁵.
pub fn rounded(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if !value.is_finite() {
        return if value.is_nan() { "–".into() } else { signed(value, "∞") };
    }
    let scientific = format!("{:.*e}", digits.saturating_sub(1), value.abs());
    let (mantissa, exponent) = scientific.split_once('e').expect("a number in exponent form");
    let exponent: i32 = exponent.parse().expect("an exponent");
    if (-4..6).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        return signed(value, &format!("{:.decimals$}", value.abs()));
    }
    if mantissa == "1" {
        return signed(value, &power_of_ten(exponent));
    }
    signed(value, &format!("{mantissa}·{}", power_of_ten(exponent)))
}

/// A share as percent, to `digits` significant digits.
pub fn percent(share: f64, digits: usize) -> String {
    format!("{} %", rounded(100.0 * share, digits))
}

fn signed(value: f64, digits: &str) -> String {
    if value < 0.0 { format!("−{digits}") } else { digits.into() }
}

fn superscript(k: i32) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32('⁰' as u32 + c as u32 - '0' as u32).expect("a superscript digit"),
        other => other,
    };
    k.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_to_their_digits() {
        let texts = [0.0, 0.012_345, -12.345, 1234.5, 0.999_96, 1.234e-5, -5e-17, 1e6].map(|x| rounded(x, 3));
        assert_eq!(texts, ["0", "0.0123", "−12.3", "1234", "1.00", "1.23·10⁻⁵", "−5.00·10⁻¹⁷", "1.00·10⁶"]);
        assert_eq!(rounded(1e6, 1), "10⁶");
        assert_eq!(percent(0.0123, 2), "1.2 %");
    }
}
