#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_io::{Clock, Meaning, Unit};

// The first line is a start, the others are dates and times of day.
fuzz_target!(|text: &str| {
    let (start, moments) = text.split_once('\n').unwrap_or((text, text));
    for unit in [Unit::Second, Unit::Minute, Unit::Hour, Unit::Day] {
        let Ok(clock) = Clock::new(start, unit) else { return };
        for moment in moments.lines() {
            for meaning in [Meaning::Begin, Meaning::Due, Meaning::EndAfter(90.0)] {
                if let Some(units) = clock.units(moment, meaning) {
                    assert!(units.is_finite(), "{moment} is {units} units after {start}");
                    let _ = (clock.date(units), clock.milliseconds_since_1970(units));
                }
            }
        }
    }
    let _ = moments.parse::<Unit>();
});
