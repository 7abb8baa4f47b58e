//! The sparse graph of similar jobs.

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
    /// How many neighbours each of `num_jobs` jobs has.
    pub fn degree(num_jobs: usize, share: f64) -> usize {
        // A little more than the product, so that 0.2 x 5 is one and not the number just below.
        let rounded = (num_jobs as f64 * share + 1e-9).floor() as usize;
        rounded.max(1).min(num_jobs.saturating_sub(1))
    }

    /// The graph of jobs with these features, job after job, each with `width` of them.
    pub fn new(features: &[f32], width: usize, share: f64) -> Self {
        let rows: Vec<&[f32]> = features.chunks_exact(width).collect();
        let num_neighbours = Self::degree(rows.len(), share);
        let mut neighbours = Vec::with_capacity(rows.len() * num_neighbours);
        let mut distances = Vec::with_capacity(rows.len() * num_neighbours);
        let mut others: Vec<(f32, u32)> = Vec::with_capacity(rows.len());
        for (job, row) in rows.iter().enumerate() {
            others.clear();
            let distance = |other: &&[f32]| -> f32 {
                row.iter().zip(*other).fold(0.0, |sum, (a, b)| (a - b).mul_add(a - b, sum))
            };
            others.extend(rows.iter().enumerate().map(|(other, row)| (distance(row), other as u32)));
            others.swap_remove(job);
            // Equally near jobs by their number, so that the graph never depends on how it was found.
            let order = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            if num_neighbours < others.len() {
                others.select_nth_unstable_by(num_neighbours, order);
            }
            let nearest = &mut others[..num_neighbours];
            nearest.sort_unstable_by(order);
            neighbours.extend(nearest.iter().map(|&(_, other)| other));
            distances.extend(nearest.iter().map(|&(squared, _)| squared.sqrt()));
        }
        Self { num_neighbours, neighbours, distances }
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
