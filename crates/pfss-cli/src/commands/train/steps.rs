//! A row for each batch of a training, for whoever draws or watches its course.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use pfss_training::Step;

const HEADINGS: &str = "step,epoch,batch,loss,critic_loss,gradient_norm,entropy,learning_rate,seconds";

/// The table of batches, which grows.
pub(super) struct Steps(BufWriter<File>);

impl Steps {
    /// Goes on with a table after so many steps; rows of later ones are cut off, which are made again.
    pub(super) fn open(path: &Path, done: usize) -> anyhow::Result<Self> {
        let failed = || format!("{}: cannot write", path.display());
        let text = if done > 0 { std::fs::read_to_string(path).unwrap_or_default() } else { String::new() };
        let number = |row: &&str| row.split(',').next()?.parse::<usize>().ok();
        let whole = text.split_inclusive('\n').filter(|row| row.ends_with('\n')).map(str::trim_end);
        let rows = whole.filter(|row| number(row).is_some_and(|step| step <= done));
        let kept: String = std::iter::once(HEADINGS).chain(rows).flat_map(|row| [row, "\n"]).collect();
        pfss_io::atomic::write(path, kept.as_bytes())?;
        let file = OpenOptions::new().append(true).open(path).with_context(failed)?;
        Ok(Self(BufWriter::new(file)))
    }

    /// Adds a row.
    pub(super) fn push(&mut self, step: &Step) -> anyhow::Result<()> {
        let or_nothing = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let Step { step: number, epoch, batch, loss, learning_rate, seconds, .. } = step;
        let [critic, norm, entropy] = [step.critic_loss, step.gradient_norm, step.entropy].map(or_nothing);
        writeln!(
            self.0,
            "{number},{epoch},{batch},{loss},{critic},{norm},{entropy},{learning_rate},{seconds:.4}"
        )?;
        Ok(())
    }

    /// Brings all rows into the file: before each checkpoint, so that a training that goes on from it has them.
    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        Ok(self.0.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_goes_on_after_the_last_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("steps.csv");
        let step = |number| Step {
            step: number,
            epoch: 1,
            batch: number,
            loss: 0.5,
            critic_loss: None,
            gradient_norm: Some(2.0),
            entropy: Some(1.5),
            learning_rate: 0.1,
            seconds: 0.25,
        };
        let mut steps = Steps::open(&path, 0).unwrap();
        (1..=3).for_each(|number| steps.push(&step(number)).unwrap());
        drop(steps);
        // What a kill cut short goes too.
        std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + "4,1").unwrap();
        let mut steps = Steps::open(&path, 2).unwrap();
        steps.push(&step(3)).unwrap();
        steps.flush().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let rows = [1, 2, 3].map(|number| format!("{number},1,{number},0.5,,2,1.5,0.1,0.2500\n")).concat();
        assert_eq!(text, format!("{HEADINGS}\n{rows}"));
    }
}
