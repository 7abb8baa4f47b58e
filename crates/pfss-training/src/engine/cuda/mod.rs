//! An NVIDIA GPU. Its kernels are compiled when a training begins; nothing of CUDA is needed to build the program.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use cudarc::cublas::sys::cublasOperation_t::{CUBLAS_OP_N, CUBLAS_OP_T};
use cudarc::cublas::{CudaBlas, result as cublas};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, LaunchConfig, PushKernelArg,
};
use cudarc::driver::{DevicePtr, result as driver};
use pfss_neural::Aggregation;

use super::backend::{Affine, Attention, Graph, Passing, Start};
use super::matrix::Storage;
use super::{Backend, DecoderKeys, Matrix, Rest, Statistics, Step};
use crate::TrainingError;

/// Threads of a block where nothing asks for another number.
const THREADS: usize = 256;

/// As in the kernels.
const ROWS_OF_PIECE: usize = 128;

/// How much shared memory any block may have.
const SHARED: usize = 48 * 1024;

/// As many numbers are kept at most for those who ask for as many again.
const KEPT: usize = 1 << 30;

/// Memory that nobody uses now, by length. All work is in one stream: whoever gets it writes after all that was there
/// has been read.
type Pool = Rc<RefCell<HashMap<usize, Vec<CudaSlice<f32>>>>>;

/// Numbers of 32 bits on the device.
pub(crate) struct Buffer {
    slice: Option<CudaSlice<f32>>,
    address: u64,
    pool: Pool,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Some(slice) = self.slice.take() {
            let mut free = self.pool.borrow_mut();
            let total: usize = free.iter().map(|(len, slices)| len * slices.len()).sum();
            if total + slice.len() > KEPT {
                free.clear();
            }
            free.entry(slice.len()).or_default().push(slice);
        }
    }
}

/// Numbers of rows on the device.
pub(crate) struct Indices {
    buffer: Buffer,
    len: usize,
}

/// A GPU.
pub(crate) struct Cuda {
    stream: Arc<CudaStream>,
    blas: CudaBlas,
    functions: HashMap<&'static str, CudaFunction>,
    pool: Pool,
    /// What failed first.
    failure: RefCell<Option<String>>,
}

/// The kernels.
const KERNELS: [&str; 41] = [
    "fill",
    "scale",
    "approach",
    "spread",
    "group_sums",
    "repeat",
    "gather",
    "scatter",
    "relu",
    "relu_gradient",
    "finish_sums",
    "column_sums",
    "column_squares",
    "row_statistics",
    "normalise",
    "normalise_slopes",
    "normalise_gradient",
    "normalise_rows_gradient",
    "gate",
    "gate_gradient",
    "meet",
    "met",
    "attend",
    "attend_gradient",
    "queries",
    "queries_gradient",
    "queries_gradient_last",
    "point",
    "point_gradient",
    "pool",
    "pool_gradient",
    "take",
    "take_gradient",
    "roll_out",
    "pass",
    "pass_gradient",
    "add_dot",
    "criticise",
    "squares",
    "root_of_sum",
    "adam",
];

fn failed(what: &str, error: impl std::fmt::Debug) -> TrainingError {
    TrainingError::Device { reason: format!("{what}: {error:?}") }
}

impl Cuda {
    /// The first GPU.
    ///
    /// # Errors
    /// [`TrainingError::Device`] where there is none, or its driver or the CUDA libraries are missing.
    pub(crate) fn new() -> Result<Self, TrainingError> {
        // SAFETY: loads the libraries, whose initialisers are trusted as they are when they are used.
        let is_there = unsafe {
            cudarc::driver::sys::is_culib_present()
                && cudarc::nvrtc::sys::is_culib_present()
                && cudarc::cublas::sys::is_culib_present()
        };
        if !is_there {
            let reason = "no NVIDIA driver with the CUDA libraries (libcuda, libnvrtc, libcublas) was found; install \
                          them, name their folder in LD_LIBRARY_PATH, or train on the CPU";
            return Err(TrainingError::Device { reason: reason.to_string() });
        }
        let context = CudaContext::new(0).map_err(|error| failed("no GPU can be used", error))?;
        let stream = context.new_stream().map_err(|error| failed("no stream", error))?;
        // SAFETY: there is one stream, whose work is done in its order.
        unsafe { context.disable_event_tracking() };
        let blas = CudaBlas::new(Arc::clone(&stream)).map_err(|error| failed("no cuBLAS", error))?;
        let module = Self::compile(&context)?;
        let functions = KERNELS.iter().map(|&name| {
            let function = module.load_function(name).map_err(|error| failed(name, error))?;
            Ok((name, function))
        });
        let functions = functions.collect::<Result<_, TrainingError>>()?;
        Ok(Self { stream, blas, functions, pool: Pool::default(), failure: RefCell::default() })
    }

    fn compile(context: &Arc<CudaContext>) -> Result<Arc<CudaModule>, TrainingError> {
        let (major, minor) = context.compute_capability().map_err(|error| failed("no capability", error))?;
        let options = cudarc::nvrtc::CompileOptions {
            options: vec![format!("--gpu-architecture=compute_{major}{minor}"), "--std=c++17".to_string()],
            ..Default::default()
        };
        let code = cudarc::nvrtc::compile_ptx_with_opts(include_str!("kernels.cu"), options)
            .map_err(|error| failed("the kernels do not compile", error))?;
        context.load_module(code).map_err(|error| failed("the kernels cannot be loaded", error))
    }

    fn note(&self, what: &str, error: impl std::fmt::Debug) {
        self.failure.borrow_mut().get_or_insert_with(|| format!("{what}: {error:?}"));
    }

    fn buffer(&self, len: usize) -> Buffer {
        let len = len.max(1);
        let old = self.pool.borrow_mut().get_mut(&len).and_then(Vec::pop);
        let slice = old.or_else(|| {
            // SAFETY: numbers of any value are numbers.
            let new = unsafe { self.stream.alloc::<f32>(len) };
            new.map_err(|error| self.note("memory", error)).ok()
        });
        let address = slice.as_ref().map_or(0, |slice| slice.device_ptr(&self.stream).0);
        Buffer { slice, address, pool: Rc::clone(&self.pool) }
    }

    fn send<T>(&self, values: &[T], buffer: &Buffer) {
        if values.is_empty() || buffer.address == 0 {
            return;
        }
        // SAFETY: the buffer has room; memory of the host is copied before the call ends.
        let sent = unsafe { driver::memcpy_htod_async(buffer.address, values, self.stream.cu_stream()) };
        if let Err(error) = sent {
            self.note("a copy to the device", error);
        }
    }

    fn fetch<T: Copy + Default>(&self, address: u64, len: usize) -> Result<Vec<T>, TrainingError> {
        let mut values = vec![T::default(); len];
        if len > 0 && self.failure.borrow().is_none() {
            // SAFETY: the buffer has as many; the stream is waited for before they are looked at.
            let fetched = unsafe { driver::memcpy_dtoh_async(&mut values, address, self.stream.cu_stream()) };
            if let Err(error) = fetched.and_then(|()| self.stream.synchronize()) {
                self.note("a copy from the device", error);
            }
        }
        match &*self.failure.borrow() {
            Some(reason) => Err(TrainingError::Device { reason: reason.clone() }),
            None => Ok(values),
        }
    }
}

/// Where a matrix begins.
fn at(matrix: &Matrix<Cuda>) -> u64 {
    matrix.buffer.address + 4 * matrix.offset as u64
}

/// Where a matrix begins, or nowhere.
fn maybe(matrix: Option<&Matrix<Cuda>>) -> u64 {
    matrix.map_or(0, at)
}

fn int(value: usize) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

/// A block for so many threads each.
fn blocks(count: usize) -> LaunchConfig {
    let grid = u32::try_from(count.div_ceil(THREADS)).unwrap_or(u32::MAX).max(1);
    LaunchConfig { grid_dim: (grid, 1, 1), block_dim: (THREADS as u32, 1, 1), shared_mem_bytes: 0 }
}

fn grid(width: usize, height: usize, threads: (u32, u32), shared: usize) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (width as u32, height as u32, 1),
        block_dim: (threads.0, threads.1, 1),
        shared_mem_bytes: shared as u32,
    }
}

/// Calls a kernel; its arguments have the types of its parameters.
macro_rules! launch {
    ($self:ident, $name:literal, $config:expr, $($argument:expr),+ $(,)?) => {{
        // SAFETY: each call's arguments are the kernel's parameters, and its matrices have the sizes that it is told.
        let launched = unsafe {
            $self.stream.launch_builder(&$self.functions[$name])$(.arg(&$argument))+.launch($config)
        };
        if let Err(error) = launched {
            $self.note($name, error);
        }
    }};
}

/// What a normalisation's kernels are told: addresses of mean, variance, weight and bias, and the kind.
struct NormArguments {
    mean: u64,
    variance: u64,
    weight: u64,
    bias: u64,
    kind: i32,
    /// Of the rows, where it goes by these.
    _statistics: Option<Matrix<Cuda>>,
}

impl Cuda {
    fn norm(&self, x: &Matrix<Self>, norm: Option<(&Statistics<Self>, &Affine<Self>)>) -> NormArguments {
        let Some((statistics, affine)) = norm else {
            return NormArguments { mean: 0, variance: 0, weight: 0, bias: 0, kind: 0, _statistics: None };
        };
        let (weight, bias) = (at(&affine.weight), at(&affine.bias));
        match statistics {
            Statistics::Columns { mean, variance } => {
                let (mean, variance) = (at(mean), at(variance));
                NormArguments { mean, variance, weight, bias, kind: 1, _statistics: None }
            }
            Statistics::Rows => {
                let of_rows = self.matrix(x.rows, 2);
                launch!(
                    self,
                    "row_statistics",
                    blocks(32 * x.rows),
                    at(x),
                    int(x.rows),
                    int(x.columns),
                    at(&of_rows)
                );
                NormArguments {
                    mean: at(&of_rows),
                    variance: 0,
                    weight,
                    bias,
                    kind: 2,
                    _statistics: Some(of_rows),
                }
            }
        }
    }

    /// The blocks that sum columns in pieces.
    fn pieces(rows: usize, columns: usize) -> (usize, LaunchConfig) {
        let pieces = rows.div_ceil(ROWS_OF_PIECE).max(1);
        (pieces, grid(columns.div_ceil(32), pieces, (32, 8), 0))
    }

    fn finish(&self, partial: &Matrix<Self>, factor: f32, out: &Matrix<Self>, add: bool) {
        let (pieces, width) = (int(partial.rows), int(partial.columns));
        launch!(
            self,
            "finish_sums",
            blocks(partial.columns),
            at(partial),
            pieces,
            width,
            factor,
            at(out),
            i32::from(add)
        );
    }
}

impl Storage for Cuda {
    type Buffer = Buffer;
}

impl Backend for Cuda {
    type Indices = Indices;

    fn matrix(&self, rows: usize, columns: usize) -> Matrix<Self> {
        Matrix::new(self.buffer(rows * columns), rows, columns)
    }

    fn upload(&self, values: &[f32], columns: usize) -> Matrix<Self> {
        let matrix = self.matrix(values.len() / columns.max(1), columns);
        self.send(values, &matrix.buffer);
        matrix
    }

    fn upload_indices(&self, rows: &[u32]) -> Indices {
        let buffer = self.buffer(rows.len());
        self.send(rows, &buffer);
        Indices { buffer, len: rows.len() }
    }

    fn download(&self, matrix: &Matrix<Self>) -> Result<Vec<f32>, TrainingError> {
        debug_assert!(matrix.is_whole(), "rows without gaps");
        self.fetch(at(matrix), matrix.len())
    }

    fn download_indices(&self, rows: &Indices) -> Result<Vec<u32>, TrainingError> {
        self.fetch(rows.buffer.address, rows.len)
    }

    fn fill(&self, out: &Matrix<Self>, value: f32) {
        launch!(self, "fill", blocks(out.len()), at(out), value, int(out.len()));
    }

    fn scale(&self, from: &Matrix<Self>, factor: f32, out: &Matrix<Self>, add: bool) {
        launch!(self, "scale", blocks(out.len()), at(from), factor, at(out), int(out.len()), i32::from(add));
    }

    fn approach(&self, to: &Matrix<Self>, share: f32, out: &Matrix<Self>) {
        launch!(self, "approach", blocks(out.len()), at(to), share, at(out), int(out.len()));
    }

    fn product(
        &self,
        a: (&Matrix<Self>, bool),
        b: (&Matrix<Self>, bool),
        start: Start<'_, Self>,
        out: &Matrix<Self>,
    ) {
        if let Start::Row(row) = start {
            launch!(self, "spread", blocks(out.len()), at(row), int(row.len()), at(out), int(out.len()));
        }
        self.products(1, a, b, out, !matches!(start, Start::Nothing));
    }

    fn products(
        &self,
        count: usize,
        a: (&Matrix<Self>, bool),
        b: (&Matrix<Self>, bool),
        out: &Matrix<Self>,
        add: bool,
    ) {
        let count = count.max(1);
        let [a_rows, b_rows, rows] = [a.0, b.0, out].map(|matrix| matrix.rows / count);
        let depth = if a.1 { a_rows } else { a.0.columns };
        if rows == 0 || out.columns == 0 || depth == 0 {
            return;
        }
        let operation = |is_transposed| if is_transposed { CUBLAS_OP_T } else { CUBLAS_OP_N };
        let step = |matrix: &Matrix<Self>, rows: usize| (rows * matrix.stride) as i64;
        // cuBLAS has columns where we have rows: the transposed product is that of the transposed factors turned round.
        // SAFETY: all matrices have the sizes that the call names.
        let done = unsafe {
            cublas::sgemm_strided_batched(
                *self.blas.handle(),
                operation(b.1),
                operation(a.1),
                int(out.columns),
                int(rows),
                int(depth),
                &1.0,
                at(b.0) as *const f32,
                int(b.0.stride),
                step(b.0, b_rows),
                at(a.0) as *const f32,
                int(a.0.stride),
                step(a.0, a_rows),
                &f32::from(u8::from(add)),
                at(out) as *mut f32,
                int(out.stride),
                step(out, rows),
                int(count),
            )
        };
        if let Err(error) = done {
            self.note("a product of matrices", error);
        }
    }

    fn column_sums(&self, matrix: &Matrix<Self>, out: &Matrix<Self>, add: bool) {
        let (rows, columns) = (matrix.rows, matrix.columns);
        let (pieces, config) = Self::pieces(rows, columns);
        let partial = self.matrix(pieces, columns);
        launch!(self, "column_sums", config, at(matrix), int(rows), int(columns), at(&partial));
        self.finish(&partial, 1.0, out, add);
    }

    fn group_sums(&self, matrix: &Matrix<Self>, count: usize, factor: f32, out: &Matrix<Self>, add: bool) {
        let n = out.len();
        let (columns, add) = (int(matrix.columns), i32::from(add));
        launch!(self, "group_sums", blocks(n), at(matrix), columns, int(count), factor, at(out), int(n), add);
    }

    fn repeat(&self, matrix: &Matrix<Self>, count: usize, factor: f32, out: &Matrix<Self>, add: bool) {
        let n = out.len();
        let (columns, add) = (int(matrix.columns), i32::from(add));
        launch!(self, "repeat", blocks(n), at(matrix), columns, int(count), factor, at(out), int(n), add);
    }

    fn gather(&self, matrix: &Matrix<Self>, rows: &Indices, out: &Matrix<Self>) {
        let n = out.len();
        let columns = int(matrix.columns);
        launch!(self, "gather", blocks(n), at(matrix), rows.buffer.address, columns, at(out), int(n));
    }

    fn scatter(&self, matrix: &Matrix<Self>, rows: &Indices, out: &Matrix<Self>, add: bool) {
        if !add {
            self.fill(out, 0.0);
        }
        let n = matrix.len();
        let columns = int(matrix.columns);
        launch!(self, "scatter", blocks(n), at(matrix), rows.buffer.address, columns, at(out), int(n));
    }

    fn relu(&self, x: &Matrix<Self>, out: &Matrix<Self>) {
        launch!(self, "relu", blocks(out.len()), at(x), at(out), int(out.len()));
    }

    fn relu_gradient(&self, y: &Matrix<Self>, of_y: &Matrix<Self>, out: &Matrix<Self>, add: bool) {
        let n = out.len();
        launch!(self, "relu_gradient", blocks(n), at(y), at(of_y), at(out), int(n), i32::from(add));
    }

    fn gate(
        &self,
        graph: &Graph<Self>,
        edges: &Matrix<Self>,
        sent: &Matrix<Self>,
        own: &Matrix<Self>,
        gates: &Matrix<Self>,
        out: &Matrix<Self>,
    ) {
        let n = out.len();
        launch!(
            self,
            "gate",
            blocks(n),
            at(edges),
            at(sent),
            at(own),
            graph.neighbours.buffer.address,
            int(graph.degree),
            int(out.columns),
            aggregation(graph),
            at(gates),
            at(out),
            int(n),
        );
    }

    fn gate_gradient(
        &self,
        graph: &Graph<Self>,
        gates: &Matrix<Self>,
        sent: &Matrix<Self>,
        of_out: &Matrix<Self>,
        of_edges: (&Matrix<Self>, bool),
        of_sent: (&Matrix<Self>, bool),
    ) {
        let (config, is_shared) = of_neighbours(graph, sent);
        launch!(
            self,
            "gate_gradient",
            config,
            at(gates),
            at(sent),
            graph.neighbours.buffer.address,
            at(of_out),
            int(graph.jobs),
            int(graph.degree),
            int(sent.columns),
            aggregation(graph),
            at(of_edges.0),
            i32::from(of_edges.1),
            at(of_sent.0),
            i32::from(of_sent.1),
            is_shared,
        );
    }

    fn meet(
        &self,
        graph: &Graph<Self>,
        own: &Matrix<Self>,
        other: &Matrix<Self>,
        bias: &Matrix<Self>,
        out: &Matrix<Self>,
    ) {
        let n = out.len();
        launch!(
            self,
            "meet",
            blocks(n),
            at(own),
            at(other),
            at(bias),
            graph.neighbours.buffer.address,
            int(graph.degree),
            int(out.columns),
            at(out),
            int(n),
        );
    }

    fn met(&self, graph: &Graph<Self>, of_edges: &Matrix<Self>, out: &Matrix<Self>, add: bool) {
        let (config, is_shared) = of_neighbours(graph, out);
        launch!(
            self,
            "met",
            config,
            at(of_edges),
            graph.neighbours.buffer.address,
            int(graph.jobs),
            int(graph.degree),
            int(out.columns),
            at(out),
            i32::from(add),
            is_shared,
        );
    }

    fn column_statistics(&self, matrix: &Matrix<Self>, mean: &Matrix<Self>, variance: &Matrix<Self>) {
        let (rows, columns) = (matrix.rows, matrix.columns);
        let (pieces, config) = Self::pieces(rows, columns);
        let partial = self.matrix(pieces, columns);
        let share = 1.0 / rows as f32;
        launch!(self, "column_sums", config, at(matrix), int(rows), int(columns), at(&partial));
        self.finish(&partial, share, mean, false);
        launch!(self, "column_squares", config, at(matrix), at(mean), int(rows), int(columns), at(&partial));
        self.finish(&partial, share, variance, false);
    }

    fn normalise(
        &self,
        x: &Matrix<Self>,
        norm: Option<(&Statistics<Self>, &Affine<Self>)>,
        relu: bool,
        beside: Option<&Matrix<Self>>,
        out: &Matrix<Self>,
    ) {
        let norm = self.norm(x, norm);
        let n = out.len();
        launch!(
            self,
            "normalise",
            blocks(n),
            at(x),
            norm.mean,
            norm.variance,
            norm.weight,
            norm.bias,
            norm.kind,
            i32::from(relu),
            maybe(beside),
            int(x.columns),
            at(out),
            int(n),
        );
    }

    fn normalise_gradient(
        &self,
        x: &Matrix<Self>,
        norm: Option<(&Statistics<Self>, &Affine<Self>, &Affine<Self>)>,
        relu: bool,
        of_out: &Matrix<Self>,
        of_x: (&Matrix<Self>, bool),
    ) {
        let (rows, columns) = (x.rows, x.columns);
        let of = norm.map(|(_, _, of)| of);
        let norm = self.norm(x, norm.map(|(statistics, affine, _)| (statistics, affine)));
        let (pieces, config) = Self::pieces(rows, columns);
        let sums = self.matrix(1, 2 * columns);
        if let Some(of) = of {
            let partial = self.matrix(pieces, 2 * columns);
            launch!(
                self,
                "normalise_slopes",
                config,
                at(x),
                norm.mean,
                norm.variance,
                norm.weight,
                norm.bias,
                norm.kind,
                i32::from(relu),
                at(of_out),
                int(rows),
                int(columns),
                at(&partial),
            );
            self.finish(&partial, 1.0, &sums, false);
            self.scale(&sums.part(0, 1, columns), 1.0, &of.bias, true);
            self.scale(&sums.part(columns, 1, columns), 1.0, &of.weight, true);
        }
        if norm.kind == 2 {
            launch!(
                self,
                "normalise_rows_gradient",
                blocks(32 * rows),
                at(x),
                norm.mean,
                norm.weight,
                norm.bias,
                i32::from(relu),
                at(of_out),
                int(rows),
                int(columns),
                at(of_x.0),
                i32::from(of_x.1),
            );
        } else {
            launch!(
                self,
                "normalise_gradient",
                blocks(x.len()),
                at(x),
                norm.mean,
                norm.variance,
                norm.weight,
                norm.bias,
                norm.kind,
                i32::from(relu),
                at(of_out),
                at(&sums),
                int(rows),
                int(columns),
                at(of_x.0),
                i32::from(of_x.1),
            );
        }
    }

    fn attend(&self, attention: &Attention<Self>, weights: &Matrix<Self>, out: &Matrix<Self>) {
        let columns = out.columns;
        launch!(
            self,
            "attend",
            of_heads(attention),
            at(&attention.queries),
            at(&attention.keys),
            at(&attention.values),
            int(attention.jobs),
            int(attention.heads),
            int(columns),
            i32::from(attention.is_open_only),
            at(weights),
            at(out),
        );
    }

    fn attend_gradient(
        &self,
        attention: &Attention<Self>,
        weights: &Matrix<Self>,
        of_out: &Matrix<Self>,
        of: [(&Matrix<Self>, bool); 3],
    ) {
        let slopes = self.matrix(weights.rows, weights.columns);
        // Of jobs that a row does not see there is nothing to add.
        if attention.is_open_only {
            self.fill(&slopes, 0.0);
        }
        let [queries, keys, values] = of.map(|(matrix, add)| (at(matrix), i32::from(add)));
        launch!(
            self,
            "attend_gradient",
            of_heads(attention),
            at(&attention.queries),
            at(&attention.keys),
            at(&attention.values),
            int(attention.jobs),
            int(attention.heads),
            int(of_out.columns),
            i32::from(attention.is_open_only),
            at(weights),
            at(of_out),
            at(&slopes),
            queries.0,
            queries.1,
            keys.0,
            keys.1,
            values.0,
            values.1,
        );
    }

    fn queries(
        &self,
        start: &Matrix<Self>,
        first: &Matrix<Self>,
        last: &Matrix<Self>,
        graph: &Matrix<Self>,
        out: &Matrix<Self>,
    ) {
        let (jobs, n) = (out.rows / first.rows.max(1), out.len());
        let (start, first, last, graph) = (at(start), at(first), at(last), at(graph));
        launch!(
            self,
            "queries",
            blocks(n),
            start,
            first,
            last,
            graph,
            int(jobs),
            int(out.columns),
            at(out),
            int(n)
        );
    }

    fn queries_gradient(
        &self,
        of_out: &Matrix<Self>,
        of_start: &Matrix<Self>,
        of: [(&Matrix<Self>, bool); 3],
    ) {
        let [first, last, graph] = of;
        let (count, columns) = (first.0.rows, of_out.columns);
        let jobs = of_out.rows / count.max(1);
        launch!(
            self,
            "queries_gradient",
            blocks((count + 1) * columns),
            at(of_out),
            int(count),
            int(jobs),
            int(columns),
            at(of_start),
            at(first.0),
            i32::from(first.1),
            at(graph.0),
            i32::from(graph.1),
        );
        let n = of_out.len();
        let add = i32::from(last.1);
        launch!(
            self,
            "queries_gradient_last",
            blocks(n),
            at(of_out),
            int(jobs),
            int(columns),
            at(last.0),
            int(n),
            add
        );
    }

    fn point(
        &self,
        products: &Matrix<Self>,
        scale: f32,
        clip: f32,
        probabilities: &Matrix<Self>,
        likely: &Matrix<Self>,
        entropy: &Matrix<Self>,
    ) {
        let jobs = products.columns;
        launch!(
            self,
            "point",
            grid(likely.rows, 1, (128, 1), 8 * jobs),
            at(products),
            int(jobs),
            scale,
            clip,
            at(probabilities),
            at(likely),
            at(entropy),
        );
    }

    fn point_gradient(
        &self,
        tanhs: &Matrix<Self>,
        probabilities: &Matrix<Self>,
        scale: f32,
        clip: f32,
        of_likely: &Matrix<Self>,
        out: &Matrix<Self>,
    ) {
        let n = out.len();
        let (jobs, factor) = (int(out.columns), scale * clip);
        let (tanhs, chances) = (at(tanhs), at(probabilities));
        launch!(
            self,
            "point_gradient",
            blocks(n),
            tanhs,
            chances,
            jobs,
            factor,
            at(of_likely),
            at(out),
            int(n)
        );
    }

    fn pass(
        &self,
        at_row: Passing,
        gates: &Matrix<Self>,
        bias: &Matrix<Self>,
        cells: &Matrix<Self>,
        hidden: &Matrix<Self>,
        passed: &Matrix<Self>,
    ) {
        let Passing { job, jobs } = at_row;
        let [gates, cell, hidden] = [gates, cells, hidden].map(|matrix| matrix.every(job, jobs));
        let (gates, cell, hidden) = (&gates, &cell, &hidden);
        let before = (job > 0).then(|| cells.every(job - 1, jobs));
        let passed = (job + 1 < jobs).then(|| passed.every(job + 1, jobs));
        let n = cell.len();
        launch!(
            self,
            "pass",
            blocks(n),
            at(gates),
            int(gates.stride),
            at(bias),
            maybe(before.as_ref()),
            int(cell.stride),
            at(cell),
            at(hidden),
            int(hidden.stride),
            maybe(passed.as_ref()),
            int(passed.as_ref().map_or(0, |passed| passed.stride)),
            int(cell.columns),
            int(n),
        );
    }

    fn pass_gradient(
        &self,
        at_row: Passing,
        gates: &Matrix<Self>,
        cells: &Matrix<Self>,
        of_hidden: &Matrix<Self>,
        of_passed: Option<&Matrix<Self>>,
        of_cell: &Matrix<Self>,
    ) {
        let Passing { job, jobs } = at_row;
        let [gates, cell, of_hidden] = [gates, cells, of_hidden].map(|matrix| matrix.every(job, jobs));
        let (gates, cell, of_hidden) = (&gates, &cell, &of_hidden);
        let before = (job > 0).then(|| cells.every(job - 1, jobs));
        let n = cell.len();
        launch!(
            self,
            "pass_gradient",
            blocks(n),
            at(gates),
            int(gates.stride),
            maybe(before.as_ref()),
            int(cell.stride),
            at(cell),
            at(of_hidden),
            int(of_hidden.stride),
            maybe(of_passed),
            at(of_cell),
            int(cell.columns),
            int(n),
        );
    }

    fn pool(&self, x: &Matrix<Self>, count: usize, rest: &Rest, out: &Matrix<Self>) {
        let n = out.len();
        let (is_other, [a, b, c, d]) = rest_of(rest);
        launch!(
            self,
            "pool",
            blocks(n),
            at(x),
            int(count),
            int(x.columns),
            is_other,
            a,
            b,
            c,
            d,
            at(out),
            int(n)
        );
    }

    fn pool_gradient(
        &self,
        x: &Matrix<Self>,
        count: usize,
        rest: &Rest,
        of_out: &Matrix<Self>,
        of_x: (&Matrix<Self>, bool),
    ) {
        let (n, width) = (x.len() / count.max(1), of_out.columns);
        launch!(
            self,
            "pool_gradient",
            blocks(n),
            at(x),
            int(count),
            int(x.columns),
            int(width),
            rest_of(rest).0,
            at(of_out),
            at(of_x.0),
            int(n),
            i32::from(of_x.1),
        );
    }

    fn take(
        &self,
        logits: &Matrix<Self>,
        taught: &Matrix<Self>,
        clip: f32,
        tanhs: &Matrix<Self>,
        probabilities: &Matrix<Self>,
        likely: &Matrix<Self>,
    ) {
        let (rows, columns) = (taught.rows, taught.columns);
        launch!(
            self,
            "take",
            blocks(32 * rows),
            at(logits),
            at(taught),
            clip,
            at(tanhs),
            at(probabilities),
            at(likely),
            int(rows),
            int(columns),
        );
    }

    fn take_gradient(
        &self,
        tanhs: &Matrix<Self>,
        probabilities: &Matrix<Self>,
        taught: &Matrix<Self>,
        of_likely: &Matrix<Self>,
        out: &Matrix<Self>,
    ) {
        let (rows, columns) = (taught.rows, taught.columns);
        let (tanhs, chances) = (at(tanhs), at(probabilities));
        launch!(
            self,
            "take_gradient",
            blocks(32 * rows),
            tanhs,
            chances,
            at(taught),
            at(of_likely),
            at(out),
            int(rows),
            int(columns),
        );
    }

    fn roll_out(&self, keys: &DecoderKeys<Self>, draws: Option<&Matrix<Self>>) -> Indices {
        let (rows, columns) = (keys.keys.rows, keys.keys.columns);
        let (jobs, heads) = (keys.jobs, keys.heads);
        let orders = Indices { buffer: self.buffer(rows), len: rows };
        let shared = 4 * (2 * columns + heads * jobs + jobs);
        launch!(
            self,
            "roll_out",
            grid(rows / jobs.max(1), 1, (THREADS as u32, 1), shared),
            at(&keys.keys),
            at(&keys.values),
            at(&keys.logit_keys),
            at(&keys.as_first),
            at(&keys.as_last),
            at(&keys.graph),
            at(&keys.start),
            int(jobs),
            int(heads),
            int(columns),
            keys.clip,
            i32::from(keys.sees_all),
            maybe(draws),
            orders.buffer.address,
        );
        orders
    }

    fn add_dot(&self, a: &Matrix<Self>, b: &Matrix<Self>, sums: &Matrix<Self>, index: usize) {
        let sum = at(sums) + 4 * index as u64;
        launch!(self, "add_dot", blocks(1), at(a), at(b), int(a.len()), sum);
    }

    fn criticise(
        &self,
        values: &Matrix<Self>,
        costs: &Matrix<Self>,
        of_values: &Matrix<Self>,
        advantages: &Matrix<Self>,
        sums: (&Matrix<Self>, usize),
    ) {
        let n = values.len();
        let (share, sum) = (1.0 / n.max(1) as f32, at(sums.0) + 4 * sums.1 as u64);
        let (values, costs) = (at(values), at(costs));
        launch!(
            self,
            "criticise",
            blocks(1),
            values,
            costs,
            share,
            at(of_values),
            at(advantages),
            sum,
            int(n)
        );
    }

    fn adam(
        &self,
        step: Step,
        gradient: &Matrix<Self>,
        moments: [&Matrix<Self>; 2],
        weights: &Matrix<Self>,
        norm: &Matrix<Self>,
    ) {
        let n = gradient.len();
        let partial = self.matrix(1, THREADS);
        launch!(self, "squares", blocks(THREADS * THREADS), at(gradient), int(n), at(&partial));
        launch!(self, "root_of_sum", blocks(1), at(&partial), int(THREADS), at(norm));
        let (rate, second) = step.factors();
        let [first, second_moment] = moments.map(at);
        let (gradient, norm) = (at(gradient), at(norm));
        launch!(
            self,
            "adam",
            blocks(n),
            gradient,
            norm,
            step.clip,
            rate,
            second,
            first,
            second_moment,
            at(weights),
            int(n),
        );
    }
}

fn aggregation(graph: &Graph<Cuda>) -> i32 {
    match graph.aggregation {
        Aggregation::Mean => 0,
        Aggregation::Sum => 1,
        Aggregation::Max => 2,
    }
}

/// Whether the rest is the other group's mean, and its numbers where it is not.
fn rest_of(rest: &Rest) -> (i32, [f32; 4]) {
    match rest {
        Rest::Numbers(numbers) => (0, *numbers),
        Rest::Other => (1, [0.0; 4]),
    }
}

/// A warp for each 32 columns of an instance, and whether the sums of its jobs fit in shared memory.
fn of_neighbours(graph: &Graph<Cuda>, jobs: &Matrix<Cuda>) -> (LaunchConfig, i32) {
    let shared = 4 * 32 * graph.jobs;
    let is_shared = shared <= SHARED;
    let instances = jobs.rows / graph.jobs.max(1);
    let config = grid(instances, jobs.columns.div_ceil(32), (32, 1), if is_shared { shared } else { 0 });
    (config, i32::from(is_shared))
}

/// A block for each head of each instance.
fn of_heads(attention: &Attention<Cuda>) -> LaunchConfig {
    let instances = attention.queries.rows / attention.jobs.max(1);
    grid(instances * attention.heads, 1, (128, 1), 0)
}
