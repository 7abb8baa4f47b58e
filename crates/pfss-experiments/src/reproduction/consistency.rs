//! Whether a plan speaks only of what it has.

use std::collections::HashSet;

use super::method::Limit;
use super::plan::Plan;

impl Plan {
    /// Names that the plan uses but does not have, or has twice.
    pub(super) fn inconsistency(&self) -> Option<String> {
        let ids = |all: &mut dyn Iterator<Item = &String>| -> Result<HashSet<String>, String> {
            let mut known = HashSet::new();
            for id in all {
                if !known.insert(id.clone()) {
                    return Err(format!("`{id}` stands twice"));
                }
            }
            Ok(known)
        };
        let (methods, groups, trainings) = match (
            ids(&mut self.methods.iter().map(|method| &method.id)),
            ids(&mut self.groups.iter().map(|group| &group.id)),
            ids(&mut self.trainings.iter().map(|training| &training.id)),
        ) {
            (Ok(methods), Ok(groups), Ok(trainings)) => (methods, groups, trainings),
            (Err(twice), ..) | (_, Err(twice), _) | (_, _, Err(twice)) => return Some(twice),
        };
        let mut wanted: Vec<(&String, &HashSet<String>)> = Vec::new();
        wanted.extend(
            [&self.baseline, &self.printed_baseline, &self.ours]
                .into_iter()
                .filter(|id| !id.is_empty())
                .map(|id| (id, &methods)),
        );
        for (at, method) in self.methods.iter().enumerate() {
            wanted.extend(method.groups.iter().map(|id| (id, &groups)));
            if let Some(expert) = &method.expert {
                wanted.extend([(&expert.group, &groups), (&expert.method, &methods)]);
            }
            if let Limit::TimeOf(other) = &method.limit
                && !self.methods[..at].iter().any(|earlier| earlier.id == *other)
            {
                return Some(format!(
                    "`{}` takes the time of `{other}`, which must stand above it",
                    method.id
                ));
            }
        }
        wanted.extend(self.figures.iter().flat_map(|figure| &figure.methods).map(|id| (id, &methods)));
        wanted.extend(self.figures.iter().flat_map(|figure| &figure.trainings).map(|id| (id, &trainings)));
        if let Some((id, _)) = wanted.into_iter().find(|(id, known)| !known.contains(*id)) {
            return Some(format!("there is no `{id}`"));
        }
        if let Some(error) = self.groups.iter().find_map(|group| group.source().err()) {
            return Some(error);
        }
        if let Some(error) = self.methods.iter().find_map(|method| method.unused(self.problem)) {
            return Some(error);
        }
        self.printed.stray(&methods, &groups, &trainings)
    }
}
