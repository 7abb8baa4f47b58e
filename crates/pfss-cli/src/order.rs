//! An order given as a file, on standard input or as a list on the command line.

use std::path::Path;

use anyhow::{Context, bail};
use pfss_core::Permutation;
use pfss_io::{AnyInstance, GivenOrder, OrderOptions, Problem, ReadError};

use crate::source::read_stdin;

/// The text of an order and where it came from.
pub(crate) struct OrderText {
    text: String,
    label: String,
    options: OrderOptions,
}

impl OrderText {
    /// Loads what the argument stands for: `-`, a file, or a list such as `2,0,1`.
    pub(crate) fn load(argument: &str, one_based: bool) -> anyhow::Result<Self> {
        let options = OrderOptions { one_based };
        if argument == "-" {
            let text = utf8("stdin", read_stdin()?)?;
            return Ok(Self { text, label: "stdin".to_string(), options });
        }
        if Path::new(argument).exists() {
            let bytes = std::fs::read(argument).with_context(|| format!("{argument}: cannot read"))?;
            return Ok(Self { text: utf8(argument, bytes)?, label: argument.to_string(), options });
        }
        let is_list = argument.contains([',', ' ', ';', '[', '{'])
            || (!argument.is_empty() && argument.bytes().all(|byte| byte.is_ascii_digit()));
        if is_list {
            return Ok(Self { text: argument.to_string(), label: "order".to_string(), options });
        }
        bail!(
            "{argument}: there is no such file; an order is a file, `-` for standard input, or a list such as `2,0,1`"
        )
    }

    /// The order of this instance's jobs, which need not be complete.
    pub(crate) fn given(&self, instance: &AnyInstance) -> Result<GivenOrder, ReadError> {
        pfss_io::order::read(&self.text, instance, self.options).map_err(|error| error.in_file(&self.label))
    }

    /// A complete order of this instance's jobs.
    pub(crate) fn permutation(&self, instance: &AnyInstance) -> anyhow::Result<Permutation> {
        let given = self.given(instance)?;
        let order = Permutation::new(given.order, instance.num_jobs())
            .map_err(|error| ReadError::new(Problem::from(error)).in_file(&self.label))?;
        Ok(order)
    }
}

fn utf8(label: &str, bytes: Vec<u8>) -> anyhow::Result<String> {
    String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("{label}: this is not UTF-8 text"))
}
