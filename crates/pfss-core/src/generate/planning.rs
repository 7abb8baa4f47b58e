//! Due dates, release dates and set-ups, drawn as the literature does.

use rand::RngExt;

use crate::timing::{Attributes, JobAttributes, MachineAttributes, Setup};
use crate::{Instance, Seed, Time, lower_bound};

/// How due dates lie: uniform in `P (1 - tightness - range / 2)` to `P (1 - tightness + range / 2)`, where `P` is a lower
/// bound on the makespan (Potts and Van Wassenhove 1982; for flow shops Vallada, Ruiz and Minella 2008). What would be below
/// zero is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DueDates {
    /// The share of jobs that is expected to be late, from 0 to 1.
    pub tightness: f64,
    /// How far due dates spread, as a share of `P`, from 0 to 2.
    pub range: f64,
}

/// How set-ups are drawn: for every machine and every two families a whole number from 1 to a percentage of the greatest
/// processing time, as in the sets SDST10 to SDST125 (Ruiz, Maroto and Alcaraz 2005), where every job is a family of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setups {
    /// How many families there are; jobs take turns.
    pub families: usize,
    /// The greatest set-up, in percent of the greatest processing time.
    pub percent: u32,
}

/// What is drawn beyond times.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Planning {
    /// Due dates.
    pub due: Option<DueDates>,
    /// Release dates, uniform from 0 to this share of the bound on the makespan (Hall and Posner 2001).
    pub release: Option<f64>,
    /// Set-ups.
    pub setups: Option<Setups>,
}

impl Planning {
    /// What the jobs and machines of an instance carry. All dates and set-ups are whole numbers.
    pub fn draw<T: Time>(&self, instance: &Instance<T>, seed: Seed) -> Attributes {
        let mut attributes = Attributes::default();
        let bound = lower_bound(instance).to_f64();
        let num_jobs = instance.num_jobs();
        attributes.jobs.resize(num_jobs, JobAttributes::default());
        if let Some(DueDates { tightness, range }) = self.due {
            let mut rng = seed.stream("due dates");
            let earliest = bound * (1.0 - tightness - range / 2.0);
            for job in &mut attributes.jobs {
                job.due = Some((earliest + bound * range * rng.random::<f64>()).round().max(0.0));
            }
        }
        if let Some(share) = self.release {
            let mut rng = seed.stream("release dates");
            for job in &mut attributes.jobs {
                job.release = (share * bound * rng.random::<f64>()).round();
            }
        }
        if let Some(setups) = self.setups {
            setups.draw(instance, seed, &mut attributes);
        }
        attributes
    }
}

impl Setups {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a percentage of the longest time; larger ones are set-ups of 32 bits"
    )]
    fn draw<T: Time>(self, instance: &Instance<T>, seed: Seed, attributes: &mut Attributes) {
        let families = self.families.clamp(1, instance.num_jobs());
        attributes.families = (0..families).map(|family| format!("F{}", family + 1)).collect();
        for (job, own) in attributes.jobs.iter_mut().enumerate() {
            own.family = Some(job % families);
        }
        let longest = instance.times().iter().map(|time| time.to_f64()).fold(0.0, f64::max);
        // Percentages of 99 are 9, 49, 99 and 124 in the published sets.
        let most = ((longest * f64::from(self.percent) / 100.0).floor() as u32).max(1);
        let mut rng = seed.stream("set-ups");
        let mut machine = || {
            let mut setups = Vec::new();
            for from in std::iter::once(None).chain((0..families).map(Some)) {
                for to in (0..families).filter(|&to| from != Some(to)) {
                    setups.push(Setup { from, to, time: f64::from(rng.random_range(1..=most)) });
                }
            }
            MachineAttributes { setups, ..MachineAttributes::default() }
        };
        attributes.machines = (0..instance.num_machines()).map(|_| machine()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::taillard_benchmark;
    use crate::timing::Line;

    #[test]
    fn due_dates_lie_in_their_range() {
        let instance = taillard_benchmark(31).unwrap();
        let bound = f64::from(lower_bound(&instance));
        let due = Some(DueDates { tightness: 0.4, range: 0.6 });
        let planning = Planning { due, release: Some(0.5), setups: None };
        let attributes = planning.draw(&instance, Seed::new(1));
        for job in &attributes.jobs {
            let due = job.due.unwrap();
            assert!((bound * 0.3 - 1.0..=bound * 0.9 + 1.0).contains(&due) && due.fract() == 0.0, "{due}");
            assert!((0.0..=bound * 0.5 + 1.0).contains(&job.release));
        }
        assert_eq!(attributes, planning.draw(&instance, Seed::new(1)));
        assert_ne!(attributes, planning.draw(&instance, Seed::new(2)));
        assert!(Line::new(&instance, &attributes).is_ok());
    }

    #[test]
    fn set_ups_connect_all_families() {
        let instance = taillard_benchmark(1).unwrap();
        let setups = Some(Setups { families: 3, percent: 50 });
        let attributes = Planning { setups, ..Planning::default() }.draw(&instance, Seed::new(7));
        assert_eq!(attributes.families, ["F1", "F2", "F3"]);
        assert_eq!(attributes.machines.len(), 5);
        for machine in &attributes.machines {
            assert_eq!(machine.setups.len(), 3 + 6);
            assert!(machine.setups.iter().all(|setup| (1.0..=49.0).contains(&setup.time)));
        }
        assert!(Line::new(&instance, &attributes).is_ok());
    }
}
