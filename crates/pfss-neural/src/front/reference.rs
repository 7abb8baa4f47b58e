//! The front policy in double precision and plain loops: the slow twin of its kernels and of its training.

use pfss_core::JobId;

use super::{End, FrontState, FrontWeights};

pub(super) type Row = Vec<f64>;

fn map(weights: &FrontWeights, weight: &str, bias: &str, input: &[f64]) -> Row {
    let bias = weights.get(bias);
    let rows = weights.get(weight).chunks_exact(input.len()).enumerate();
    rows.map(|(output, row)| {
        let products = row.iter().zip(input).map(|(&a, b)| f64::from(a) * b);
        products.sum::<f64>() + f64::from(bias.get(output).copied().unwrap_or(0.0))
    })
    .collect()
}

fn relu(row: Row) -> Row {
    row.into_iter().map(|x| x.max(0.0)).collect()
}

fn mean(rows: &[Row]) -> Row {
    (0..rows[0].len()).map(|i| rows.iter().map(|row| row[i]).sum::<f64>() / rows.len() as f64).collect()
}

fn largest(rows: &[Row]) -> Row {
    (0..rows[0].len()).map(|i| rows.iter().map(|row| row[i]).fold(f64::MIN, f64::max)).collect()
}

/// The front of jobs in order, and the work of the others, from one end.
fn fronts(rows: &[Row], order: &[JobId]) -> Row {
    let mut front = vec![0.0f64; rows[0].len()];
    for &job in order {
        for i in 0..front.len() {
            let previous = if i == 0 { 0.0 } else { front[i - 1] };
            front[i] = front[i].max(previous) + rows[job as usize][i];
        }
    }
    front
}

/// The features of each remaining job on each machine, as the definition writes them.
pub(super) fn features(state: &FrontState, end: End) -> Vec<Vec<Row>> {
    let (n, m) = (state.num_jobs(), state.num_machines());
    let times = state.shop().times.chunks_exact(m);
    let forward: Vec<Row> = times.map(|row| row.iter().map(|&x| f64::from(x)).collect()).collect();
    let mirrored: Vec<Row> = forward.iter().map(|row| row.iter().rev().copied().collect()).collect();
    let mirror = |row: Row| row.into_iter().rev().collect::<Row>();
    let (rows, own, other) = match end {
        End::Front => {
            let opposite = mirror(fronts(&mirrored, state.placed(End::Back)));
            (&forward, fronts(&forward, state.placed(End::Front)), opposite)
        }
        End::Back => {
            let opposite = mirror(fronts(&forward, state.placed(End::Front)));
            (&mirrored, fronts(&mirrored, state.placed(End::Back)), opposite)
        }
    };
    let r = state.remaining().len() as f64;
    let work: Row =
        (0..m).map(|i| state.remaining().iter().map(|&job| rows[job as usize][i]).sum::<f64>()).collect();
    let load = |i: usize| own[i] + work[i] + other[i];
    let most = (0..m).map(load).fold(f64::MIN, f64::max);
    let of_job = |&job: &JobId| -> Vec<Row> {
        let p = &rows[job as usize];
        let mut completion = Vec::new();
        let on_machine = |i: usize| {
            let previous = if i == 0 { 0.0 } else { completion[i - 1] };
            completion.push(own[i].max(previous) + p[i]);
            let c = completion[i];
            let idle = c - p[i] - own[i];
            let wait = if i == 0 { 0.0 } else { c - p[i] - previous };
            let sl = load(i) - most;
            let head: f64 = p[..i].iter().sum();
            let tail: f64 = p[i + 1..].iter().sum();
            let curved = [
                p[i],
                idle,
                wait,
                sl,
                sl + idle,
                c - completion[0],
                own[i] - own[0],
                other[i] - other[m - 1],
                head,
                tail,
                sl / r.sqrt(),
                8.0 * (sl + idle) / r,
            ];
            let position = if m == 1 { 0.0 } else { i as f64 / (m - 1) as f64 };
            let plain = [work[i] / r - 1.0, position, r / n as f64, r.ln() / 4.0];
            curved.into_iter().map(f64::asinh).chain(plain).collect::<Row>()
        };
        (0..m).map(on_machine).collect()
    };
    state.remaining().iter().map(of_job).collect()
}

/// Means and maxima of each end's candidates, and the means of the other's.
fn contexts(z: &[Vec<Row>; 2]) -> [Row; 2] {
    let of = |own: &[Row], other: &[Row]| [mean(own), largest(own), mean(other)].concat();
    [of(&z[0], &z[1]), of(&z[1], &z[0])]
}

fn norm(weights: &FrontWeights, row: &[f64]) -> Row {
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / row.len() as f64;
    let affine = weights.get("norm.weight").iter().zip(weights.get("norm.bias"));
    row.iter()
        .zip(affine)
        .map(|(x, (&a, &b))| (x - mean) / (variance + 1e-5).sqrt() * f64::from(a) + f64::from(b))
        .collect()
}

/// The clipped logits of all candidates: front and back by remaining job.
pub fn logits(weights: &FrontWeights, state: &FrontState) -> Vec<[f64; 2]> {
    let (n, m, r) = (state.num_jobs() as f64, state.num_machines() as f64, state.remaining().len() as f64);
    let scalars = [r / n, r.ln() / 4.0, n.ln() / 4.0, m.ln() / 3.0];
    let embed = |machines: &Vec<Row>| {
        let hidden = machines.iter().map(|row| {
            let first = relu(map(weights, "machine.0.weight", "machine.0.bias", row));
            relu(map(weights, "machine.1.weight", "machine.1.bias", &first))
        });
        let hidden: Vec<Row> = hidden.collect();
        let input = [mean(&hidden), largest(&hidden), scalars.to_vec()].concat();
        relu(map(weights, "candidate.weight", "candidate.bias", &input))
    };
    let z = End::BOTH.map(|end| features(state, end).iter().map(embed).collect::<Vec<Row>>());
    let with_context = |name: &str, z: &Row, context: &Row| -> Row {
        let own = map(weights, &format!("{name}.own.weight"), &format!("{name}.own.bias"), z);
        let shared = map(weights, &format!("{name}.context.weight"), "", context);
        relu(own.iter().zip(shared).map(|(a, b)| a + b).collect())
    };
    let context = contexts(&z);
    let mix = |end: usize| -> Vec<Row> {
        let mixed = z[end].iter().map(|z| {
            let change = with_context("mix", z, &context[end]);
            norm(weights, &z.iter().zip(change).map(|(a, b)| a + b).collect::<Row>())
        });
        mixed.collect()
    };
    let z = [mix(0), mix(1)];
    let context = contexts(&z);
    let clip = f64::from(weights.config().clip);
    let score = |place: usize, end: usize| {
        let hidden = with_context("score", &z[end][place], &context[end]);
        clip * (map(weights, "score.output.weight", "score.output.bias", &hidden)[0] / clip).tanh()
    };
    (0..state.remaining().len()).map(|place| [score(place, 0), score(place, 1)]).collect()
}
