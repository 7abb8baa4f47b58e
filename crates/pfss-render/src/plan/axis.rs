//! Ticks of a time axis: numbers of units, or times of day.

use super::PlanClock;
use crate::axis::linear_ticks;

/// A tick: when, what it says, and the day where a new one begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
    pub(super) day: Option<String>,
}

/// Steps between times of day, in seconds.
const STEPS: [f64; 17] = [
    1.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0, 10_800.0, 21_600.0,
    43_200.0, 86_400.0, 172_800.0,
];
const WEEK: f64 = 604_800.0;

/// About `target` ticks from zero to `horizon`.
pub(super) fn ticks(horizon: f64, target: usize, is_whole: bool, clock: Option<&PlanClock<'_>>) -> Vec<Tick> {
    let Some(clock) = clock else {
        let ticks = linear_ticks(0.0, horizon, target, is_whole).into_iter();
        return ticks.map(|tick| Tick { value: tick.value, label: tick.label, day: None }).collect();
    };
    let seconds = horizon * clock.seconds_per_unit;
    let raw = seconds / target.max(1) as f64;
    let step =
        STEPS.into_iter().find(|step| *step >= raw).unwrap_or_else(|| (raw / WEEK).ceil().max(1.0) * WEEK);
    let first = (clock.start_of_day / step).ceil() * step - clock.start_of_day;
    let mut ticks = Vec::new();
    let mut last_day = String::new();
    for index in 0..200 {
        let at = first + f64::from(index) * step;
        if at > seconds {
            break;
        }
        let value = at / clock.seconds_per_unit;
        let date = (clock.date)(value);
        let (day, time) = date.split_once('T').unwrap_or((&date, ""));
        let is_new = day != last_day;
        let (label, day) =
            if step >= 86_400.0 { (day, None) } else { (time, is_new.then(|| day.to_owned())) };
        ticks.push(Tick { value, label: label.to_owned(), day });
        last_day = date.split('T').next().unwrap_or_default().to_owned();
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_a_clock_stand_at_round_times_of_day() {
        let date = |minutes: f64| {
            let total = 6.0 * 60.0 + 10.0 + minutes;
            let day = 16 + (total / 1440.0) as u32;
            let rest = total % 1440.0;
            format!("2026-11-{day}T{:02}:{:02}", (rest / 60.0) as u32, rest as u32 % 60)
        };
        let clock = PlanClock { seconds_per_unit: 60.0, start_of_day: 22_200.0, date: Box::new(date) };
        let found = ticks(1500.0, 8, true, Some(&clock));
        assert_eq!(
            (found[0].value, found[0].label.as_str(), found[0].day.as_deref()),
            (350.0, "12:00", Some("2026-11-16"))
        );
        assert_eq!(found.iter().filter(|tick| tick.day.is_some()).count(), 2);
        assert!(found.len() <= 9);
        assert_eq!(ticks(10.0, 5, true, None)[1].label, "2");
    }
}
