//! Instances of one kind, and where they come from.

use pfss_core::generate::{Parameter, Recipe};
use serde::Deserialize;

use crate::NamedSet;

/// Instances of one kind, drawn or of a public benchmark.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Group {
    /// Its name in the plan.
    pub id: String,
    /// Its name in tables.
    pub label: String,
    /// Drawn processing times: the name of a distribution, with parameters as in `uniform+zeros=0.2`.
    #[serde(default)]
    distribution: String,
    /// gamma: the shape.
    shape: Option<f64>,
    /// gamma: the scale.
    scale: Option<f64>,
    /// normal: the mean.
    mean: Option<f64>,
    /// normal: the standard deviation.
    std: Option<f64>,
    /// The jobs of drawn instances.
    #[serde(default)]
    pub jobs: usize,
    /// The machines of drawn instances.
    #[serde(default)]
    pub machines: usize,
    /// Drawn maps with so many cities.
    #[serde(default)]
    pub cities: usize,
    /// How many instances are drawn.
    #[serde(default)]
    pub count: usize,
    /// A public benchmark instead; `jobs` and `machines` choose.
    #[serde(default)]
    set: String,
    /// The place on a figure's horizontal axis, where it is not the number of jobs.
    x: Option<f64>,
    /// Whether it is left out of tables: it only measures an expert's time.
    #[serde(default)]
    pub hidden: bool,
    /// How many instances of a benchmark are kept; all when absent.
    #[serde(skip)]
    pub(super) most: Option<usize>,
    /// The size in the plan, where a quick run has a smaller one.
    #[serde(skip)]
    planned_size: Option<usize>,
}

/// Where the instances of a group come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// Drawn flow shops.
    Drawn(Recipe),
    /// Drawn maps.
    Cities,
    /// A public benchmark.
    Set(NamedSet),
}

/// The largest number of jobs of a benchmark that quick runs take.
const LARGEST_QUICK: usize = 100;

impl Group {
    /// Where the instances come from.
    ///
    /// # Errors
    /// A sentence that says what does not fit.
    pub fn source(&self) -> Result<Source, String> {
        let error = |reason: &str| Err(format!("group `{}`: {reason}", self.id));
        if let Some(key) = self.stray() {
            return error(&format!("`{key}` is not used by the instances that it asks for"));
        }
        if !self.set.is_empty() {
            return match NamedSet::named(&self.set) {
                Some(set) => Ok(Source::Set(set)),
                None => error("there is no such benchmark"),
            };
        }
        if self.count == 0 {
            return error("`count` is missing");
        }
        if self.cities > 0 {
            return Ok(Source::Cities);
        }
        let mut recipe: Recipe = match self.distribution.parse() {
            Ok(recipe) => recipe,
            Err(reason) => return error(&reason.to_string()),
        };
        for (parameter, value) in [
            (Parameter::Shape, self.shape),
            (Parameter::Scale, self.scale),
            (Parameter::Mean, self.mean),
            (Parameter::Std, self.std),
        ] {
            let Some(value) = value else { continue };
            match recipe.distribution.with(parameter, value) {
                Ok(distribution) => recipe.distribution = distribution,
                Err(reason) => return error(&reason.to_string()),
            }
        }
        if self.jobs == 0 || self.machines == 0 {
            return error("`jobs` or `machines` is missing");
        }
        Ok(Source::Drawn(recipe))
    }

    /// A key that says nothing about the instances.
    fn stray(&self) -> Option<&'static str> {
        let (is_set, is_map) = (!self.set.is_empty(), self.set.is_empty() && self.cities > 0);
        let is = |name: &str| !is_set && !is_map && self.distribution == name;
        let given = [
            ("cities", self.cities > 0, !is_set),
            ("count", self.count > 0, !is_set),
            ("distribution", !self.distribution.is_empty(), !is_set && !is_map),
            ("jobs", self.jobs > 0, !is_map),
            ("machines", self.machines > 0, !is_map),
            ("shape", self.shape.is_some(), is("gamma")),
            ("scale", self.scale.is_some(), is("gamma")),
            ("mean", self.mean.is_some(), is("normal")),
            ("std", self.std.is_some(), is("normal")),
        ];
        given.into_iter().find(|&(_, is_given, is_used)| is_given && !is_used).map(|(key, ..)| key)
    }

    /// The number of jobs, or of cities.
    pub fn size(&self) -> usize {
        if self.cities > 0 { self.cities } else { self.jobs }
    }

    /// A name with `{n}` and `{m}` as the numbers of jobs or cities and of machines in the plan.
    pub fn fill(&self, name: &str) -> String {
        let size = self.planned_size.unwrap_or_else(|| self.size());
        name.replace("{n}", &size.to_string()).replace("{m}", &self.machines.to_string())
    }

    /// The place on a figure's horizontal axis.
    pub fn x(&self) -> f64 {
        self.x.unwrap_or(self.size() as f64)
    }

    /// The same kind of instances, few and small: the `at`-th group of a plan in a quick run. `None` where it
    /// cannot be made small.
    pub fn quick(&self, at: usize) -> Option<Self> {
        let mut group = Self { planned_size: Some(self.size()), ..self.clone() };
        // Sizes differ still, so that exponents can be fitted.
        let size = 7 + 2 * at;
        if !self.set.is_empty() {
            group.most = Some(2);
            return (self.jobs <= LARGEST_QUICK).then_some(group);
        }
        group.count = self.count.min(3);
        if self.cities > 0 {
            group.cities = self.cities.min(size);
        } else {
            group.jobs = self.jobs.min(size);
        }
        Some(group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(lines: &str) -> Result<Source, String> {
        toml::from_str::<Group>(&format!("id = \"g\"\nlabel = \"g\"\n{lines}")).unwrap().source()
    }

    #[test]
    fn keys_that_say_nothing_are_refused() {
        let gamma = "distribution = \"gamma\"\njobs = 5\nmachines = 2\ncount = 1";
        let (map, set) = ("cities = 5\ncount = 1", "set = \"taillard\"\njobs = 20\nmachines = 5");
        for used in [gamma, map, set] {
            assert!(source(used).is_ok(), "{used}");
        }
        assert!(source(&format!("{gamma}\nshape = 1.0")).is_ok());
        let named = |text: &str| source(&gamma.replace("gamma", text));
        assert!(named("job-correlated+alpha=0.2").is_ok() && named("uniform+zeros=0.2").is_ok());
        assert!(named("beta").is_err() && named("uniform+zeros=2").is_err());
        for (lines, stray) in [
            (gamma, "mean = 1.0"),
            (map, "shape = 1.0"),
            (map, "jobs = 5"),
            (map, "distribution = \"gamma\""),
            (set, "count = 3"),
            (set, "cities = 5"),
            (set, "std = 1.0"),
        ] {
            let reason = source(&format!("{lines}\n{stray}")).unwrap_err();
            let key = stray.split(' ').next().unwrap();
            assert!(reason.contains(&format!("`{key}`")), "{lines}, {stray}: {reason}");
        }
    }
}
