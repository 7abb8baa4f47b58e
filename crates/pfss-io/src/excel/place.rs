//! Places in a sheet as Excel names them.

/// The most columns of a sheet of Excel.
pub(super) const MOST_COLUMNS: u32 = 16_384;
/// The most rows.
pub(super) const MOST_ROWS: u32 = 1_048_576;

/// A cell: row and column from 0, in the order in which sheets are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) row: u32,
    pub(super) column: u32,
}

impl Place {
    /// The place that is called such as `B12`, or `None` where Excel has no such place.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let end = name.find(|c: char| !c.is_ascii_alphabetic())?;
        let (letters, digits) = name.split_at(end);
        if !(1..=3).contains(&end) || digits.len() > 7 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let digit = |byte: u8| u32::from(byte.to_ascii_uppercase() - b'A') + 1;
        let column = letters.bytes().fold(0, |column, byte| column * 26 + digit(byte)) - 1;
        let row = digits.parse::<u32>().ok()?.checked_sub(1)?;
        (column < MOST_COLUMNS && row < MOST_ROWS).then_some(Self { row, column })
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut letters = Vec::new();
        let mut rest = self.column + 1;
        while rest > 0 {
            letters.push(b'A' + ((rest - 1) % 26) as u8);
            rest = (rest - 1) / 26;
        }
        for &letter in letters.iter().rev() {
            write!(f, "{}", char::from(letter))?;
        }
        write!(f, "{}", self.row + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_names() {
        for (name, row, column) in
            [("A1", 0, 0), ("Z9", 8, 25), ("AA10", 9, 26), ("ZZ1", 0, 701), ("XFD1048576", 1_048_575, 16_383)]
        {
            let place = Place { row, column };
            assert_eq!(Place::parse(name), Some(place));
            assert_eq!(place.to_string(), name);
        }
        for wrong in ["", "A", "1", "A0", "A1048577", "XFE1", "AAAA1", "A1B", "A-1", "A99999999", "ä1"] {
            assert_eq!(Place::parse(wrong), None, "{wrong}");
        }
    }
}
