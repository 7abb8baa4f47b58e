//! What a number format makes of a cell's number: Excel stores dates and times as numbers of days.

/// What a cell shows its number as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    /// A number.
    #[default]
    Number,
    /// A date without a time of day.
    Date,
    /// A time of day.
    Time,
    /// A date with a time of day.
    Moment,
    /// How long something takes, such as 36:00.
    Duration,
    /// A date or a time of day: some built-in formats differ between Excel's languages.
    DateOrTime,
}

impl Format {
    /// The built-in format of a number (ECMA-376, part 1, 18.8.30).
    pub(super) fn built_in(number: u32) -> Self {
        match number {
            14..=17 => Self::Date,
            18..=21 | 45 | 47 => Self::Time,
            22 => Self::Moment,
            46 => Self::Duration,
            27..=36 | 50..=58 => Self::DateOrTime,
            _ => Self::Number,
        }
    }

    /// The format of a code such as `yyyy-mm-dd hh:mm` or `[h]:mm`; what follows a semicolon is for other numbers.
    pub(super) fn of_code(code: &str) -> Self {
        let mut found = Letters::default();
        let mut rest = code;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                ';' => break,
                '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
                // The next character is shown, left out or repeated.
                '\\' | '_' | '*' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                '[' => found.bracket(rest),
                'a' | 'A' => found.half_of_day(rest),
                _ => found.run(rest, first),
            };
            rest = &rest[length..];
        }
        found.format()
    }
}

/// The letters of a format's code that stand for parts of dates and times.
#[derive(Default)]
struct Letters {
    has_date: bool,
    has_time: bool,
    /// Months, or beside hours or seconds minutes.
    has_m: bool,
    is_duration: bool,
}

impl Letters {
    /// Reads `[h]`, `[mm]`, ..., which go on counting; colours, conditions and languages say nothing here.
    fn bracket(&mut self, rest: &str) -> usize {
        let end = rest.find(']').map_or(rest.len(), |end| end + 1);
        let inner = rest[1..end].trim_end_matches(']').to_ascii_lowercase();
        let mut letters = inner.chars();
        if let Some(first @ ('h' | 'm' | 's')) = letters.next() {
            self.is_duration |= letters.all(|letter| letter == first);
        }
        end
    }

    /// Reads `AM/PM` and `A/P`.
    fn half_of_day(&mut self, rest: &str) -> usize {
        let is = |mark: &str| rest.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark));
        let mark = ["AM/PM", "A/P"].into_iter().find(|mark| is(mark));
        self.has_time |= mark.is_some();
        mark.map_or(1, str::len)
    }

    /// Reads a letter and its repetitions.
    fn run(&mut self, rest: &str, first: char) -> usize {
        let length = rest.find(|c: char| !c.eq_ignore_ascii_case(&first)).unwrap_or(rest.len());
        match first.to_ascii_lowercase() {
            'y' | 'd' => self.has_date = true,
            'm' if length / first.len_utf8() > 2 => self.has_date = true,
            'm' => self.has_m = true,
            'h' | 's' => self.has_time = true,
            _ => {}
        }
        length
    }

    fn format(&self) -> Format {
        let has_date = self.has_date || (self.has_m && !self.has_time);
        match (self.is_duration, has_date, self.has_time) {
            (true, ..) => Format::Duration,
            (_, true, true) => Format::Moment,
            (_, true, false) => Format::Date,
            (_, false, true) => Format::Time,
            (_, false, false) => Format::Number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_what_excel_shows() {
        for (code, format) in [
            ("General", Format::Number),
            ("", Format::Number),
            ("0.00E+00", Format::Number),
            ("#,##0.00\\ \"days\"", Format::Number),
            ("#,##0*y", Format::Number),
            ("#,##0\\ [$€-407];[Red]-#,##0\\ [$€-407]", Format::Number),
            ("[>=100][Magenta]0.0", Format::Number),
            ("@", Format::Number),
            ("\"unclosed yyyy", Format::Number),
            ("yyyy-mm-dd", Format::Date),
            ("DD.MM.YYYY", Format::Date),
            ("mmm", Format::Date),
            ("[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", Format::Date),
            ("m\"M\"d\"D\";@", Format::Date),
            ("dd.mm.yyyy hh:mm", Format::Moment),
            ("m/d/yy h:mm AM/PM;@", Format::Moment),
            ("mmm h\"h\"", Format::Moment),
            ("h:mm", Format::Time),
            ("[$-409]h:mm:ss AM/PM", Format::Time),
            ("ha/p", Format::Time),
            ("mm:ss.0", Format::Time),
            ("[h]:mm", Format::Duration),
            ("[Blue]\\+[hh]:mm:ss;[Red]\\-[h]:mm", Format::Duration),
            ("[mm]", Format::Duration),
            ("[s].000", Format::Duration),
            ("[h", Format::Duration),
            ("ä[", Format::Number),
            ("\\", Format::Number),
        ] {
            assert_eq!(Format::of_code(code), format, "{code}");
        }
        let built_in = [0, 14, 20, 22, 30, 46, 49].map(Format::built_in);
        let (number, date, time) = (Format::Number, Format::Date, Format::Time);
        let (moment, either, duration) = (Format::Moment, Format::DateOrTime, Format::Duration);
        assert_eq!(built_in, [number, date, time, moment, either, duration, number]);
    }
}
