//! What a machine and the gap behind it carry, checked.

use super::MOST_TICKS;
use crate::timing::ticks::{Beyond, Scale};
use crate::timing::{AttributeError, Attributes, MachineAttributes, Setup};

/// More entries of set-ups are refused.
const MOST_SETUPS: usize = 1 << 28;

/// A search remembers what is in all buffers behind each job: more numbers than 1 GiB holds are refused.
const MOST_PLACES: usize = 1 << 28;

/// What lies between a machine and the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Room for any number of jobs.
    Unlimited,
    /// Room for so many jobs; none: a job stays on its machine until the next one is free.
    Buffer(usize),
    /// Jobs go on at once.
    NoWait,
}

/// A machine's attributes in ticks.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) available_from: u32,
    pub(crate) breaks: Vec<(u32, u32)>,
    pub(crate) resume: bool,
    pub(crate) gap: Gap,
}

impl Machine {
    pub(crate) fn is_plain(&self) -> bool {
        self.available_from == 0 && self.breaks.is_empty() && self.gap == Gap::Unlimited
    }
}

/// Refuses numbers that make no sense and combinations that are not supported.
pub(crate) fn check(attributes: &Attributes, label: &dyn Fn(usize) -> String) -> Result<(), AttributeError> {
    for (machine, of) in attributes.machines.iter().enumerate() {
        let number = |what, value: f64| {
            if value.is_finite() && value >= 0.0 {
                return Ok(());
            }
            let place = format!("machine {}", label(machine));
            Err(AttributeError::Number { place, what, value: value.to_string(), may_be_negative: false })
        };
        number("available_from", of.available_from)?;
        for &(from, to) in &of.breaks {
            number("the beginning of a break", from)?;
            number("the end of a break", to)?;
        }
        for setup in &of.setups {
            number("a set-up", setup.time)?;
        }
        breaks(of, || label(machine))?;
        setups(attributes, of, || label(machine))?;
    }
    gaps(&attributes.machines, label)
}

fn breaks(of: &MachineAttributes, label: impl Fn() -> String) -> Result<(), AttributeError> {
    if let Some(&(from, to)) = of.breaks.iter().find(|(from, to)| from >= to) {
        return Err(AttributeError::EmptyBreak { machine: label(), from, to });
    }
    let mut sorted = of.breaks.clone();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    match sorted.windows(2).find(|pair| pair[0].1 > pair[1].0) {
        Some(pair) => {
            Err(AttributeError::OverlappingBreaks { machine: label(), first: pair[0], second: pair[1] })
        }
        None => Ok(()),
    }
}

fn setups(
    attributes: &Attributes,
    of: &MachineAttributes,
    label: impl Fn() -> String,
) -> Result<(), AttributeError> {
    let families = attributes.families.len();
    let mut seen = std::collections::HashSet::new();
    for setup in &of.setups {
        if let Some(family) = [setup.from, Some(setup.to)].into_iter().flatten().find(|&f| f >= families) {
            let place = format!("machine {}: a set-up", label());
            return Err(AttributeError::Family { place, family, families });
        }
        if !seen.insert((setup.from, setup.to)) {
            let name = |family: usize| attributes.families[family].clone();
            let from = setup.from.map_or_else(|| "the beginning".to_string(), name);
            return Err(AttributeError::RepeatedSetup { machine: label(), from, to: name(setup.to) });
        }
    }
    Ok(())
}

fn gaps(machines: &[MachineAttributes], label: &dyn Fn(usize) -> String) -> Result<(), AttributeError> {
    for (machine, of) in machines.iter().enumerate() {
        if machine + 1 == machines.len() {
            for (is_there, what) in [(of.buffer.is_some(), "a buffer"), (of.no_wait, "no_wait")] {
                if is_there {
                    return Err(AttributeError::BehindTheLast { machine: label(machine), what });
                }
            }
        }
        if of.no_wait && of.buffer.is_some() {
            return Err(AttributeError::NoWaitWithBuffer { machine: label(machine) });
        }
        if of.no_wait
            && let Some(other) = [machine, machine + 1].into_iter().find(|&i| !machines[i].breaks.is_empty())
        {
            let (machine, before) = (label(other), label(machine));
            return Err(AttributeError::NoWaitWithBreaks { machine, before });
        }
    }
    Ok(())
}

/// The attributes of `count` machines, which were checked.
pub(crate) fn machines(
    attributes: &Attributes,
    count: usize,
    num_jobs: usize,
    time: Scale,
    label: &dyn Fn(usize) -> String,
) -> Result<Vec<Machine>, AttributeError> {
    let plain = vec![MachineAttributes::default(); if attributes.machines.is_empty() { count } else { 0 }];
    let machine = |(machine, of): (usize, &MachineAttributes)| {
        let ticks = |what, value| {
            let named = |beyond: Beyond| beyond.of(format!("machine {}", label(machine)), what);
            time.to_unsigned(value, MOST_TICKS).map_err(named)
        };
        let interval = |&(from, to): &(f64, f64)| {
            Ok((ticks("the beginning of a break", from)?, ticks("the end of a break", to)?))
        };
        let mut breaks: Vec<_> = of.breaks.iter().map(interval).collect::<Result<_, AttributeError>>()?;
        breaks.sort_unstable();
        let gap = match of.buffer {
            _ if of.no_wait => Gap::NoWait,
            // Never full.
            Some(buffer) if buffer < num_jobs => Gap::Buffer(buffer),
            _ => Gap::Unlimited,
        };
        let available_from = ticks("available_from", of.available_from)?;
        Ok(Machine { available_from, breaks, resume: of.resume, gap })
    };
    attributes.machines.iter().chain(&plain).enumerate().map(machine).collect()
}

/// Refuses buffers with more places than a search can remember. Buffers that hold all jobs are no longer among them.
pub(crate) fn places(machines: &[Machine], num_jobs: usize) -> Result<(), AttributeError> {
    let of = |machine: &Machine| if let Gap::Buffer(places) = machine.gap { places } else { 0 };
    let places: usize = machines.iter().map(of).sum();
    let most = MOST_PLACES / num_jobs;
    if places > most { Err(AttributeError::TooManyPlaces { places, num_jobs, most }) } else { Ok(()) }
}

/// Set-ups by pair of families and machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Setups {
    /// How many families there are, with one for jobs that have none.
    families: usize,
    num_machines: usize,
    /// By family before (one more: the beginning), family after, and machine. Empty where no set-up takes time.
    times: Vec<u32>,
}

impl Setups {
    pub(crate) fn new(
        attributes: &Attributes,
        time: Scale,
        label: &dyn Fn(usize) -> String,
    ) -> Result<Self, AttributeError> {
        let machines = &attributes.machines;
        // A plant has one table for all its families; those behind the last one that a job is of never meet.
        let last = attributes.jobs.iter().filter_map(|job| job.family).max();
        let families = last.map_or(1, |last| last + 2);
        let is_met =
            |setup: &&Setup| setup.to + 1 < families && setup.from.is_none_or(|from| from + 1 < families);
        let met = |of: &MachineAttributes| of.setups.iter().filter(is_met).any(|setup| setup.time != 0.0);
        if !machines.iter().any(met) {
            return Ok(Self::default());
        }
        let num_machines = machines.len();
        let too_many = || AttributeError::TooManyFamilies { families: families - 1, machines: num_machines };
        let entries = (families + 1).checked_mul(families).and_then(|pairs| pairs.checked_mul(num_machines));
        let entries = entries.filter(|&entries| entries <= MOST_SETUPS).ok_or_else(too_many)?;
        let mut setups = Self { families, num_machines, times: vec![0; entries] };
        for (machine, of) in machines.iter().enumerate() {
            for setup in of.setups.iter().filter(is_met) {
                let from = setup.from.map_or(families, |family| family + 1);
                let pair = from * families + setup.to + 1;
                setups.times[pair * num_machines + machine] = time
                    .to_unsigned(setup.time, MOST_TICKS)
                    .map_err(|beyond| beyond.of(format!("machine {}", label(machine)), "a set-up"))?;
            }
        }
        Ok(setups)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The set-ups behind a family, or at the beginning, before another, by machine.
    #[inline(always)]
    pub(crate) fn between(&self, before: Option<u32>, family: u32) -> &[u32] {
        if self.times.is_empty() {
            return &[];
        }
        let from = before.map_or(self.families, |family| family as usize);
        let start = (from * self.families + family as usize) * self.num_machines;
        &self.times[start..start + self.num_machines]
    }

    /// The longest set-up before each family, by family and machine.
    pub(crate) fn longest(&self) -> Vec<u32> {
        let row = self.families * self.num_machines;
        let mut longest = vec![0; row];
        for times in self.times.chunks_exact(row.max(1)) {
            for (longest, &time) in longest.iter_mut().zip(times) {
                *longest = time.max(*longest);
            }
        }
        longest
    }
}
