//! Colours: one per job from its number alone, one per series from its place.

use std::fmt;

use pfss_core::JobId;

/// A colour of the sRGB space; its text form is `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colour {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

/// The number of distinct series colours; further series repeat them with another dash pattern.
pub(crate) const NUM_SERIES_COLOURS: usize = 8;

/// The angle that spreads successive hues evenly: 360° · (3 - √5) / 2.
const GOLDEN_ANGLE: f64 = 137.507_764_050_037_85;

/// Light enough that dark labels are easy to read, on a light and on a dark page.
const LIGHTNESS: [f64; 3] = [0.76, 0.84, 0.69];

/// The colour of a job, from its number alone: the same job has the same colour in every order and chart.
///
/// Hues step by the golden angle and the lightness cycles through three levels, in the perceptually even
/// Oklch space (Ottosson 2020), so that jobs with near numbers look different.
pub fn job_colour(job: JobId) -> Colour {
    let hue = (f64::from(job) * GOLDEN_ANGLE + 250.0) % 360.0;
    oklch(LIGHTNESS[job as usize % LIGHTNESS.len()], 0.115, hue)
}

/// Oklch to sRGB (Ottosson 2020); the components are clamped to the gamut.
fn oklch(lightness: f64, chroma: f64, hue_degrees: f64) -> Colour {
    let (sin, cos) = hue_degrees.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    Colour {
        red: encode(4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s),
        green: encode(-1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s),
        blue: encode(-0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s),
    }
}

/// Linear light to an sRGB byte.
fn encode(linear: f64) -> u8 {
    let value = linear.clamp(0.0, 1.0);
    let encoded = if value <= 0.003_130_8 { 12.92 * value } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of WCAG 2.
    fn luminance(colour: Colour) -> f64 {
        let linear = |byte: u8| {
            let value = f64::from(byte) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue)
    }

    #[test]
    fn colours_are_stable() {
        let colours: Vec<String> = (0..4).map(|job| job_colour(job).to_string()).collect();
        insta::assert_snapshot!(colours.join(" "), @"#76b6f7 #ffada1 #48b289 #bf9fee");
        assert_eq!(job_colour(JobId::MAX), job_colour(JobId::MAX));
    }

    #[test]
    fn dark_labels_are_readable_on_every_bar() {
        let ink = luminance(Colour { red: 0x10, green: 0x15, blue: 0x1b });
        for job in 0..1000 {
            let contrast = (luminance(job_colour(job)) + 0.05) / (ink + 0.05);
            assert!(contrast >= 4.5, "job {job} has contrast {contrast}");
        }
    }

    #[test]
    fn near_jobs_look_different() {
        let distance = |a: Colour, b: Colour| {
            a.red.abs_diff(b.red).max(a.green.abs_diff(b.green)).max(a.blue.abs_diff(b.blue))
        };
        for job in 0..200 {
            for other in job + 1..job + 5 {
                assert!(distance(job_colour(job), job_colour(other)) >= 24, "{job} {other}");
            }
        }
    }
}
