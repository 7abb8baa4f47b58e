//! The networks in double precision and plain loops, the paper's as it writes it: the slow twin of inference and of
//! training. Nothing but tests and measurements has a use for it.

use pfss_core::JobId;

pub use crate::front::reference::logits as front_logits;
use crate::{
    Aggregation, EncoderKind, Glimpse, ModelError, NeighbourGraph, Normalization, PolicyInput, Weights,
};

#[cfg(test)]
mod tests;

/// Numbers of a job, an edge or a step.
pub type Row = Vec<f64>;

/// Where batch normalisation takes its means and variances from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistics {
    /// From the weights, as a trained network does.
    Running,
    /// From all instances that are given, as a network does that is being trained.
    OfBatch,
}

fn get(weights: &Weights, name: &str) -> Row {
    weights.get(name).iter().map(|&value| f64::from(value)).collect()
}

fn linear(weights: &Weights, name: &str, input: &[f64]) -> Row {
    let matrix = get(weights, &format!("{name}.weight"));
    let bias = get(weights, &format!("{name}.bias"));
    let rows = matrix.chunks_exact(input.len());
    rows.enumerate()
        .map(|(output, row)| {
            row.iter().zip(input).map(|(a, b)| a * b).sum::<f64>() + bias.get(output).copied().unwrap_or(0.0)
        })
        .collect()
}

fn norm(weights: &Weights, name: &str, rows: Vec<Row>, statistics: Statistics) -> Vec<Row> {
    if weights.config().normalization == Normalization::None || rows.is_empty() {
        return rows;
    }
    let all = |what: &str| get(weights, &format!("{name}.{what}"));
    let (weight, bias) = (all("weight"), all("bias"));
    let moments = |values: &dyn Fn(usize) -> f64, count: usize| -> (f64, f64) {
        let mean = (0..count).map(values).sum::<f64>() / count as f64;
        (mean, (0..count).map(|i| (values(i) - mean).powi(2)).sum::<f64>() / count as f64)
    };
    let columns = 0..rows[0].len();
    let of_column: Vec<(f64, f64)> = match weights.config().normalization {
        Normalization::Batch if statistics == Statistics::OfBatch => {
            columns.map(|i| moments(&|row| rows[row][i], rows.len())).collect()
        }
        Normalization::Batch => all("running_mean").into_iter().zip(all("running_var")).collect(),
        _ => Vec::new(),
    };
    let normal = |row: &Row| -> Row {
        let of_row = moments(&|i| row[i], row.len());
        let value = |i: usize| {
            let (mean, variance) = of_column.get(i).copied().unwrap_or(of_row);
            (row[i] - mean) / (variance + 1e-5).sqrt() * weight[i] + bias[i]
        };
        (0..row.len()).map(value).collect()
    };
    rows.iter().map(normal).collect()
}

fn sum(rows: &[&Row]) -> Row {
    (0..rows[0].len()).map(|i| rows.iter().map(|row| row[i]).sum()).collect()
}

fn relu(row: Row) -> Row {
    row.into_iter().map(|x| x.max(0.0)).collect()
}

/// The embeddings of the jobs of several instances.
///
/// # Errors
/// [`ModelError`] when an instance is not one for these weights.
pub fn encode<I: PolicyInput>(
    weights: &Weights,
    instances: &[&I],
    statistics: Statistics,
) -> Result<Vec<Vec<Row>>, ModelError> {
    let features = instances
        .iter()
        .map(|&instance| weights.config().features(instance))
        .collect::<Result<Vec<_>, _>>()?;
    let jobs = match weights.config().encoder {
        EncoderKind::Ggcn => convolve(weights, &features, statistics),
        EncoderKind::Lstm | EncoderKind::Transformer => attend(weights, &features, statistics),
    };
    let mut jobs = jobs.into_iter();
    Ok(instances.iter().map(|instance| jobs.by_ref().take(instance.len()).collect()).collect())
}

/// The rivals of the paper: self-attention, then a recurrent or a feed-forward layer.
fn attend(weights: &Weights, features: &[Vec<f32>], statistics: Statistics) -> Vec<Row> {
    let config = weights.config();
    let embed = |rows: &Vec<f32>| -> Vec<Row> {
        let rows = rows.chunks_exact(config.num_machines);
        rows.map(|row| linear(weights, "job_embedding", &row.iter().map(|&x| f64::from(x)).collect::<Row>()))
            .collect()
    };
    let mut graphs: Vec<Vec<Row>> = features.iter().map(embed).collect();
    for layer in 0..config.layers {
        let name = |what: &str| format!("layers.{layer}.{what}");
        let normed = |graphs: Vec<Vec<Row>>, norm_name: &str| -> Vec<Vec<Row>> {
            let sizes: Vec<usize> = graphs.iter().map(Vec::len).collect();
            let all = graphs.into_iter().flatten().collect();
            let mut rows = norm(weights, &name(norm_name), all, statistics).into_iter();
            sizes.into_iter().map(|size| rows.by_ref().take(size).collect()).collect()
        };
        let looked = graphs.iter().map(|jobs| self_attention(weights, layer, jobs)).collect();
        graphs = normed(looked, "attention_norm");
        if config.encoder == EncoderKind::Lstm {
            graphs = graphs.iter().map(|jobs| recur(weights, layer, jobs)).collect();
        } else {
            let feed = |job: &Row| -> Row {
                let wide = relu(linear(weights, &name("expand"), job));
                sum(&[job, &linear(weights, &name("contract"), &wide)])
            };
            let fed = graphs.iter().map(|jobs| jobs.iter().map(feed).collect()).collect();
            graphs = normed(fed, "feed_forward_norm");
        }
    }
    graphs.into_iter().flatten().collect()
}

fn self_attention(weights: &Weights, layer: usize, jobs: &[Row]) -> Vec<Row> {
    let config = weights.config();
    let map = |name: &str, row: &Row| linear(weights, &format!("layers.{layer}.attention.{name}"), row);
    let mapped = |name: &str| -> Vec<Row> { jobs.iter().map(|job| map(name, job)).collect() };
    let (queries, keys, values) = (mapped("query"), mapped("key"), mapped("value"));
    let width = config.width / config.heads;
    let look = |(job, query): (&Row, &Row)| -> Row {
        let mut seen = Row::new();
        for head in 0..config.heads {
            let range = head * width..(head + 1) * width;
            let score = |key: &Row| -> f64 {
                range.clone().map(|i| query[i] * key[i]).sum::<f64>() / (width as f64).sqrt()
            };
            let shares: Row = keys.iter().map(|key| score(key).exp()).collect();
            let total: f64 = shares.iter().sum();
            let mean =
                |i: usize| values.iter().zip(&shares).map(|(v, share)| share / total * v[i]).sum::<f64>();
            seen.extend(range.clone().map(mean));
        }
        sum(&[job, &map("output", &seen)])
    };
    jobs.iter().zip(&queries).map(look).collect()
}

fn recur(weights: &Weights, layer: usize, jobs: &[Row]) -> Vec<Row> {
    let d = weights.config().width;
    let map = |name: &str, row: &Row| linear(weights, &format!("layers.{layer}.lstm.{name}"), row);
    let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
    let (mut hidden, mut cell) = (vec![0.0; d], vec![0.0; d]);
    let pass = |job: &Row| {
        let gates = sum(&[&map("input", job), &map("hidden", &hidden)]);
        for i in 0..d {
            let (input, forget, output) =
                (logistic(gates[i]), logistic(gates[d + i]), logistic(gates[2 * d + i]));
            cell[i] = forget * cell[i] + input * gates[3 * d + i].tanh();
            hidden[i] = output * cell[i].tanh();
        }
        sum(&[job, &hidden])
    };
    jobs.iter().map(pass).collect()
}

/// Eq. 1, edge by edge, for several instances.
fn convolve(weights: &Weights, features: &[Vec<f32>], statistics: Statistics) -> Vec<Row> {
    let config = weights.config();
    // The jobs of all instances stand one after the other.
    let (mut jobs, mut edges, mut neighbours) = (Vec::new(), Vec::new(), Vec::new());
    let (edge_weight, edge_bias) =
        (get(weights, "edge_embedding.weight"), get(weights, "edge_embedding.bias"));
    for times in features {
        let (first, m) = (jobs.len(), config.num_machines);
        let graph = NeighbourGraph::new(times, m, config.neighbours);
        for (job, times) in times.chunks_exact(m).enumerate() {
            let feature: Row = times.iter().map(|&x| f64::from(x)).collect();
            jobs.push(linear(weights, "job_embedding", &feature));
            let embed = |&distance: &f32| -> Row {
                edge_weight.iter().zip(&edge_bias).map(|(w, b)| w * f64::from(distance) + b).collect()
            };
            edges.push(graph.distances_of(job).iter().map(embed).collect::<Vec<Row>>());
            neighbours.push(graph.neighbours_of(job).iter().map(|&k| first + k as usize).collect::<Vec<_>>());
        }
    }
    for layer in 0..config.layers {
        let map = |name: &str, row: &[f64]| linear(weights, &format!("layers.{layer}.{name}"), row);
        let inner = (0..jobs.len()).map(|job| {
            let sent: Vec<Row> = neighbours[job]
                .iter()
                .zip(&edges[job])
                .map(|(&k, edge)| {
                    let through = map("c", &jobs[k]);
                    edge.iter().zip(through).map(|(e, x)| x / (1.0 + (-e).exp())).collect()
                })
                .collect();
            let gathered: Row = (0..config.width)
                .map(|i| {
                    let values = sent.iter().map(|row| row[i]);
                    match config.aggregation {
                        _ if sent.is_empty() => 0.0,
                        Aggregation::Sum => values.sum(),
                        Aggregation::Mean => values.sum::<f64>() / sent.len() as f64,
                        Aggregation::Max => values.fold(f64::NEG_INFINITY, f64::max),
                    }
                })
                .collect();
            sum(&[&map("b", &jobs[job]), &gathered])
        });
        let inner = norm(weights, &format!("layers.{layer}.job_norm"), inner.collect(), statistics);
        let next = jobs.iter().zip(inner).map(|(row, inner)| sum(&[row, &relu(inner)])).collect();
        let inner = (0..jobs.len()).flat_map(|job| {
            let (jobs, edges, map) = (&jobs, &edges[job], &map);
            neighbours[job]
                .iter()
                .zip(edges)
                .map(move |(&k, edge)| sum(&[&map("d", edge), &map("e", &jobs[job]), &map("f", &jobs[k])]))
        });
        let inner = norm(weights, &format!("layers.{layer}.edge_norm"), inner.collect(), statistics);
        for (edge, inner) in edges.iter_mut().flatten().zip(inner) {
            *edge = sum(&[edge, &relu(inner)]);
        }
        jobs = next;
    }
    jobs
}

/// Eq. 2 to 5 along an order: the log-probabilities of all jobs at each step.
pub fn follow(weights: &Weights, jobs: &[Row], order: &[JobId]) -> Vec<Row> {
    let config = weights.config();
    let (n, d, heads) = (jobs.len(), config.width, config.heads);
    let mean: Row = (0..d).map(|i| jobs.iter().map(|row| row[i]).sum::<f64>() / n as f64).collect();
    let mapped: Vec<Row> = jobs.iter().map(|row| linear(weights, "decoder.jobs", row)).collect();
    let placeholders = get(weights, "decoder.placeholders");
    let mut steps = Vec::new();
    for step in 0..order.len() {
        let context: Row = match step {
            0 => placeholders.clone(),
            _ => [&jobs[order[0] as usize][..], &jobs[order[step - 1] as usize][..]].concat(),
        };
        let graph = linear(weights, "decoder.graph_context", &mean);
        let query = sum(&[&graph, &linear(weights, "decoder.step_context", &context)]);
        let open: Vec<usize> = (0..n).filter(|&job| !order[..step].contains(&(job as JobId))).collect();
        let seen = match config.glimpse {
            Glimpse::Open => open.clone(),
            Glimpse::All => (0..n).collect(),
        };
        let mut glimpse = vec![0.0; d];
        for head in 0..heads {
            let range = head * d / heads..(head + 1) * d / heads;
            let scale = (range.len() as f64).sqrt();
            let score = |job: &usize| -> f64 {
                range.clone().map(|i| query[i] * mapped[*job][i]).sum::<f64>() / scale
            };
            let scores: Row = seen.iter().map(score).collect();
            let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let total: f64 = scores.iter().map(|s| (s - largest).exp()).sum();
            for (job, s) in seen.iter().zip(&scores) {
                for i in range.clone() {
                    glimpse[i] += (s - largest).exp() / total * mapped[*job][d + i];
                }
            }
        }
        let refined = linear(weights, "decoder.output", &glimpse);
        let logit = |job: &usize| -> f64 {
            let inner: f64 = (0..d).map(|i| refined[i] * mapped[*job][2 * d + i]).sum();
            f64::from(config.clip) * (inner / (d as f64).sqrt()).tanh()
        };
        let logits: Row = open.iter().map(logit).collect();
        let total: f64 = logits.iter().map(|logit| logit.exp()).sum();
        let mut row = vec![f64::NEG_INFINITY; n];
        for (job, logit) in open.iter().zip(&logits) {
            row[*job] = logit - total.ln();
        }
        steps.push(row);
    }
    steps
}
