//! The sparse graph of similar jobs.

use rayon::prelude::*;

/// Jobs that one thread takes at a time.
const JOBS_PER_TASK: usize = 64;

/// Each job and the jobs nearest to it, by the Euclidean distance of their processing times.
///
/// The paper connects each job to its 20 % nearest neighbours (section 4.2, 2). As its released code does, the
/// number is rounded down, edges have a direction and no job is its own neighbour. There is at least one
/// neighbour, where there is another job at all.
#[derive(Clone, Debug, PartialEq)]
pub struct NeighbourGraph {
    num_neighbours: usize,
    neighbours: Vec<u32>,
    distances: Vec<f32>,
}

impl NeighbourGraph {
    /// No neighbours at all.
    pub(crate) fn empty() -> Self {
        Self { num_neighbours: 0, neighbours: Vec::new(), distances: Vec::new() }
    }

    /// How many neighbours each of `num_jobs` jobs has.
    pub fn degree(num_jobs: usize, share: f64) -> usize {
        // A little more than the product, so that 0.2 x 5 is one and not the number just below.
        let rounded = (num_jobs as f64 * share + 1e-9).floor() as usize;
        rounded.max(1).min(num_jobs.saturating_sub(1))
    }

    /// The graph of jobs with these features, job after job, each with `width` of them.
    pub fn new(features: &[f32], width: usize, share: f64) -> Self {
        match Self::new_while(features, width, share, &|| true) {
            Some(graph) => graph,
            None => unreachable!("it was told to go on"),
        }
    }

    /// The graph, or `None` when `goes_on` says no.
    pub(crate) fn new_while(
        features: &[f32],
        width: usize,
        share: f64,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let num_jobs = features.len() / width;
        let num_neighbours = Self::degree(num_jobs, share);
        let mut neighbours = vec![0; num_jobs * num_neighbours];
        let mut distances = vec![0.0; num_jobs * num_neighbours];
        if num_neighbours == 0 {
            return Some(Self { num_neighbours, neighbours, distances });
        }
        // A row per machine: distances to all jobs are then summed side by side.
        let by_machine: Vec<f32> =
            (0..width).flat_map(|machine| features.iter().skip(machine).step_by(width).copied()).collect();
        let chunk = JOBS_PER_TASK * num_neighbours;
        let chunks = neighbours.par_chunks_mut(chunk).zip(distances.par_chunks_mut(chunk)).enumerate();
        let is_whole = chunks.map(|(index, (neighbours, distances))| {
            let mut squares = vec![0.0; num_jobs];
            let mut others: Vec<(f32, u32)> = Vec::with_capacity(num_jobs);
            let first = index * JOBS_PER_TASK;
            let targets = neighbours.chunks_exact_mut(num_neighbours);
            let targets = targets.zip(distances.chunks_exact_mut(num_neighbours)).zip(first..);
            for ((neighbours, distances), job) in targets {
                if !goes_on() {
                    return false;
                }
                square_distances(&by_machine, job, &mut squares);
                nearest(&squares, job, num_neighbours, &mut others);
                let nearest = others[..num_neighbours].iter().zip(neighbours.iter_mut().zip(distances));
                for (&(squared, other), (neighbour, distance)) in nearest {
                    (*neighbour, *distance) = (other, squared.sqrt());
                }
            }
            true
        });
        is_whole.all(|is_done| is_done).then_some(Self { num_neighbours, neighbours, distances })
    }

    /// How many neighbours each job has.
    pub fn num_neighbours(&self) -> usize {
        self.num_neighbours
    }

    /// The neighbours of all jobs, job after job, nearest first.
    pub fn neighbours(&self) -> &[u32] {
        &self.neighbours
    }

    /// The distances to them.
    pub fn distances(&self) -> &[f32] {
        &self.distances
    }

    /// The neighbours of one job.
    pub fn neighbours_of(&self, job: usize) -> &[u32] {
        &self.neighbours[job * self.num_neighbours..(job + 1) * self.num_neighbours]
    }

    /// The distances to the neighbours of one job.
    pub fn distances_of(&self, job: usize) -> &[f32] {
        &self.distances[job * self.num_neighbours..(job + 1) * self.num_neighbours]
    }
}

/// The squares of the distances from a job to all jobs.
fn square_distances(by_machine: &[f32], job: usize, squares: &mut [f32]) {
    squares.fill(0.0);
    for row in by_machine.chunks_exact(squares.len()) {
        let own = row[job];
        for (square, other) in squares.iter_mut().zip(row) {
            *square += (own - other) * (own - other);
        }
    }
}

/// The other jobs with the squares of their distances, the nearest ones first and sorted.
fn nearest(squares: &[f32], job: usize, count: usize, others: &mut Vec<(f32, u32)>) {
    others.clear();
    others.extend(squares.iter().zip(0..).map(|(&square, other)| (square, other)));
    others.swap_remove(job);
    // Equally near jobs by their number, so that the graph never depends on how it was found.
    let order = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if count < others.len() {
        others.select_nth_unstable_by(count, order);
    }
    others[..count].sort_unstable_by(order);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_of_the_jobs_are_neighbours() {
        let degrees = [1, 2, 4, 5, 9, 10, 20, 50, 99, 1000].map(|n| NeighbourGraph::degree(n, 0.2));
        assert_eq!(degrees, [0, 1, 1, 1, 1, 2, 4, 10, 19, 200]);
    }

    #[test]
    fn the_nearest_jobs_come_first_and_ties_by_number() {
        let features = [0.0, 10.0, 1.0, 10.5, 1.0, 0.0, -1.0, 30.0, 31.0, 32.0];
        let graph = NeighbourGraph::new(&features, 1, 0.3);
        assert_eq!(graph.num_neighbours(), 3);
        assert_eq!(graph.neighbours_of(0), [5, 2, 4]);
        assert_eq!(graph.distances_of(0), [0.0, 1.0, 1.0]);
        assert_eq!(graph.neighbours_of(7), [8, 9, 3]);
        assert_eq!(NeighbourGraph::new(&features[..1], 1, 0.2).neighbours().len(), 0);
    }
}
