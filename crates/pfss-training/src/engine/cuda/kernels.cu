// The operations of a training on an NVIDIA GPU. Every sum is taken in an order that depends on sizes alone: nothing is
// added atomically, so that a training repeats itself to the last bit on a device of the same kind.

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL extern "C" __global__ void

// The runtime compiler has no headers.
#define INFINITY __int_as_float(0x7f800000)

const float EPSILON = 1e-5f;
// Rows of which a block takes the sums.
const int ROWS_OF_PIECE = 128;

__device__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

__device__ float warp_sum(float x) {
    for (int step = 16; step; step /= 2) x += __shfl_xor_sync(~0u, x, step);
    return x;
}

__device__ float warp_max(float x) {
    for (int step = 16; step; step /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, step));
    return x;
}

// ---- rows

KERNEL fill(float* out, float value, int n) {
    int i = THREAD;
    if (i < n) out[i] = value;
}

KERNEL scale(const float* from, float factor, float* out, int n, int add) {
    int i = THREAD;
    if (i < n) out[i] = add ? out[i] + factor * from[i] : factor * from[i];
}

KERNEL approach(const float* to, float share, float* out, int n) {
    int i = THREAD;
    if (i < n) out[i] += share * (to[i] - out[i]);
}

KERNEL spread(const float* row, int columns, float* out, int n) {
    int i = THREAD;
    if (i < n) out[i] = row[i % columns];
}

KERNEL group_sums(const float* x, int columns, int count, float factor, float* out, int n, int add) {
    int i = THREAD;
    if (i >= n) return;
    const float* from = x + (long long)(i / columns) * count * columns + i % columns;
    float sum = add ? out[i] : 0.0f;
    for (int row = 0; row < count; row++) sum += factor * from[row * columns];
    out[i] = sum;
}

KERNEL repeat(const float* x, int columns, int count, float factor, float* out, int n, int add) {
    int i = THREAD;
    if (i >= n) return;
    float value = factor * x[i / columns / count * columns + i % columns];
    out[i] = add ? out[i] + value : value;
}

KERNEL gather(const float* x, const unsigned* rows, int columns, float* out, int n) {
    int i = THREAD;
    if (i < n) out[i] = x[(long long)rows[i / columns] * columns + i % columns];
}

KERNEL scatter(const float* x, const unsigned* rows, int columns, float* out, int n) {
    int i = THREAD;
    if (i < n) out[(long long)rows[i / columns] * columns + i % columns] += x[i];
}

KERNEL relu(const float* x, float* out, int n) {
    int i = THREAD;
    if (i < n) out[i] = fmaxf(x[i], 0.0f);
}

KERNEL relu_gradient(const float* y, const float* of_y, float* out, int n, int add) {
    int i = THREAD;
    if (i >= n) return;
    float slope = y[i] > 0.0f ? of_y[i] : 0.0f;
    out[i] = add ? out[i] + slope : slope;
}

// ---- sums of columns: of pieces of rows, and then of these

// K sums for each column of what `f` says of a row and a column.
template <int K, class F>
__device__ void reduce(F f, int rows, int columns, float* partial) {
    __shared__ float sums[K][8][32];
    int column = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * ROWS_OF_PIECE;
    float own[K] = {};
    if (column < columns)
        for (int row = first + threadIdx.y; row < min(first + ROWS_OF_PIECE, rows); row += 8) f(row, column, own);
    for (int k = 0; k < K; k++) sums[k][threadIdx.y][threadIdx.x] = own[k];
    __syncthreads();
    if (threadIdx.y < K && column < columns) {
        float sum = 0.0f;
        for (int lane = 0; lane < 8; lane++) sum += sums[threadIdx.y][lane][threadIdx.x];
        partial[((long long)blockIdx.y * K + threadIdx.y) * columns + column] = sum;
    }
}

KERNEL finish_sums(const float* partial, int pieces, int width, float factor, float* out, int add) {
    int i = THREAD;
    if (i >= width) return;
    float sum = 0.0f;
    for (int piece = 0; piece < pieces; piece++) sum += partial[(long long)piece * width + i];
    out[i] = add ? out[i] + factor * sum : factor * sum;
}

KERNEL column_sums(const float* x, int rows, int columns, float* partial) {
    auto f = [=](int row, int column, float* sum) { sum[0] += x[(long long)row * columns + column]; };
    reduce<1>(f, rows, columns, partial);
}

KERNEL column_squares(const float* x, const float* mean, int rows, int columns, float* partial) {
    auto f = [=](int row, int column, float* sum) {
        float centred = x[(long long)row * columns + column] - mean[column];
        sum[0] += centred * centred;
    };
    reduce<1>(f, rows, columns, partial);
}

// ---- normalisation: kind 0 none, 1 by columns (`mean`, `variance`), 2 by rows (`mean` holds mean and inverse deviation)

KERNEL row_statistics(const float* x, int rows, int columns, float* statistics) {
    int row = THREAD / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    x += (long long)row * columns;
    float sum = 0.0f, square = 0.0f;
    for (int i = lane; i < columns; i += 32) sum += x[i];
    float mean = warp_sum(sum) / columns;
    for (int i = lane; i < columns; i += 32) square += (x[i] - mean) * (x[i] - mean);
    float inverse = 1.0f / sqrtf(warp_sum(square) / columns + EPSILON);
    if (lane == 0) {
        statistics[2 * row] = mean;
        statistics[2 * row + 1] = inverse;
    }
}

struct Norm {
    const float *mean, *variance, *weight, *bias;
    int kind;

    __device__ float normal(float x, int row, int column) const {
        if (kind == 2) return (x - mean[2 * row]) * mean[2 * row + 1];
        return (x - mean[column]) * inverse(row, column);
    }

    __device__ float inverse(int row, int column) const {
        return kind == 2 ? mean[2 * row + 1] : 1.0f / sqrtf(variance[column] + EPSILON);
    }

    __device__ float operator()(float x, int row, int column) const {
        return kind == 0 ? x : normal(x, row, column) * weight[column] + bias[column];
    }
};

KERNEL normalise(const float* x, const float* mean, const float* variance, const float* weight, const float* bias,
                 int kind, int relu, const float* beside, int columns, float* out, int n) {
    int i = THREAD;
    if (i >= n) return;
    Norm norm = {mean, variance, weight, bias, kind};
    float y = norm(x[i], i / columns, i % columns);
    if (relu) y = fmaxf(y, 0.0f);
    out[i] = beside ? y + beside[i] : y;
}

KERNEL normalise_slopes(const float* x, const float* mean, const float* variance, const float* weight,
                        const float* bias, int kind, int relu, const float* of_out, int rows, int columns,
                        float* partial) {
    Norm norm = {mean, variance, weight, bias, kind};
    auto f = [=](int row, int column, float* sum) {
        long long i = (long long)row * columns + column;
        float normal = norm.normal(x[i], row, column);
        bool is_on = !relu || normal * weight[column] + bias[column] > 0.0f;
        float slope = is_on ? of_out[i] : 0.0f;
        sum[0] += slope;
        sum[1] += slope * normal;
    };
    reduce<2>(f, rows, columns, partial);
}

// `sums` are the gradients of bias and weight.
KERNEL normalise_gradient(const float* x, const float* mean, const float* variance, const float* weight,
                          const float* bias, int kind, int relu, const float* of_out, const float* sums, int rows,
                          int columns, float* out, int add) {
    int i = THREAD;
    if (i >= rows * columns) return;
    int row = i / columns, column = i % columns;
    float of_x;
    if (kind == 0) {
        of_x = !relu || x[i] > 0.0f ? of_out[i] : 0.0f;
    } else {
        Norm norm = {mean, variance, weight, bias, kind};
        float normal = norm.normal(x[i], row, column);
        float slope = !relu || normal * weight[column] + bias[column] > 0.0f ? of_out[i] : 0.0f;
        of_x = weight[column] * norm.inverse(row, column) *
               (slope - sums[column] / rows - normal * sums[columns + column] / rows);
    }
    out[i] = add ? out[i] + of_x : of_x;
}

KERNEL normalise_rows_gradient(const float* x, const float* statistics, const float* weight, const float* bias,
                               int relu, const float* of_out, int rows, int columns, float* out, int add) {
    int row = THREAD / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    Norm norm = {statistics, nullptr, weight, bias, 2};
    long long first = (long long)row * columns;
    float sum = 0.0f, along = 0.0f;
    for (int i = lane; i < columns; i += 32) {
        float normal = norm.normal(x[first + i], row, i);
        float slope = !relu || normal * weight[i] + bias[i] > 0.0f ? of_out[first + i] * weight[i] : 0.0f;
        sum += slope;
        along += slope * normal;
    }
    sum = warp_sum(sum) / columns;
    along = warp_sum(along) / columns;
    for (int i = lane; i < columns; i += 32) {
        float normal = norm.normal(x[first + i], row, i);
        float slope = !relu || normal * weight[i] + bias[i] > 0.0f ? of_out[first + i] * weight[i] : 0.0f;
        float of_x = norm.inverse(row, i) * (slope - sum - normal * along);
        out[first + i] = add ? out[first + i] + of_x : of_x;
    }
}

// ---- the graph (Eq. 1); of aggregations 0 is the mean, 1 the sum, 2 the maximum

KERNEL gate(const float* edges, const float* sent, const float* own, const unsigned* neighbours, int degree,
            int columns, int aggregation, float* gates, float* out, int n) {
    int i = THREAD;
    if (i >= n) return;
    int job = i / columns, column = i % columns;
    float all = aggregation == 2 ? -INFINITY : 0.0f;
    for (int k = 0; k < degree; k++) {
        long long edge = (long long)job * degree + k;
        float gate = sigmoid(edges[edge * columns + column]);
        gates[edge * columns + column] = gate;
        float value = gate * sent[(long long)neighbours[edge] * columns + column];
        all = aggregation == 2 ? fmaxf(all, value) : all + value;
    }
    out[i] = own[i] + (aggregation == 0 ? all / degree : all);
}

// A warp has 32 columns of an instance. What neighbours get is summed in shared memory where it fits.
KERNEL gate_gradient(const float* gates, const float* sent, const unsigned* neighbours, const float* of_out,
                     int jobs, int degree, int columns, int aggregation, float* of_edges, int add_edges,
                     float* of_sent, int add_sent, int is_shared) {
    extern __shared__ float shared[];
    int column = blockIdx.y * 32 + threadIdx.x, first = blockIdx.x * jobs;
    if (column >= columns) return;
    float* target = of_sent + (long long)first * columns + column;
    float* sums = is_shared ? shared + threadIdx.x : target;
    int stride = is_shared ? 32 : columns;
    if (is_shared || !add_sent)
        for (int job = 0; job < jobs; job++) sums[job * stride] = 0.0f;
    float share = aggregation == 0 ? 1.0f / degree : 1.0f;
    for (int job = 0; job < jobs; job++) {
        float slope = share * of_out[(long long)(first + job) * columns + column];
        long long edge = (long long)(first + job) * degree;
        int most = 0;
        if (aggregation == 2) {
            float best = -INFINITY;
            for (int k = 0; k < degree; k++) {
                float value = gates[(edge + k) * columns + column] *
                              sent[(long long)neighbours[edge + k] * columns + column];
                if (value > best) best = value, most = k;
            }
        }
#pragma unroll 4
        for (int k = 0; k < degree; k++) {
            long long at = (edge + k) * columns + column;
            unsigned neighbour = neighbours[edge + k];
            float gate = gates[at], through = aggregation == 2 && k != most ? 0.0f : slope * gate;
            float of_edge = through * sent[(long long)neighbour * columns + column] * (1.0f - gate);
            of_edges[at] = add_edges ? of_edges[at] + of_edge : of_edge;
            sums[(neighbour - first) * stride] += through;
        }
    }
    if (is_shared)
        for (int job = 0; job < jobs; job++) {
            float sum = sums[job * stride];
            target[job * columns] = add_sent ? target[job * columns] + sum : sum;
        }
}

KERNEL meet(const float* own, const float* other, const float* bias, const unsigned* neighbours, int degree,
            int columns, float* out, int n) {
    int i = THREAD;
    if (i >= n) return;
    int edge = i / columns, column = i % columns;
    out[i] = own[(long long)(edge / degree) * columns + column] +
             other[(long long)neighbours[edge] * columns + column] + bias[column];
}

KERNEL met(const float* of_edges, const unsigned* neighbours, int jobs, int degree, int columns, float* out, int add,
           int is_shared) {
    extern __shared__ float shared[];
    int column = blockIdx.y * 32 + threadIdx.x, first = blockIdx.x * jobs;
    if (column >= columns) return;
    float* target = out + (long long)first * columns + column;
    float* sums = is_shared ? shared + threadIdx.x : target;
    int stride = is_shared ? 32 : columns;
    if (is_shared || !add)
        for (int job = 0; job < jobs; job++) sums[job * stride] = 0.0f;
    long long edge = (long long)first * degree;
#pragma unroll 4
    for (int k = 0; k < jobs * degree; k++)
        sums[(neighbours[edge + k] - first) * stride] += of_edges[(edge + k) * columns + column];
    if (is_shared)
        for (int job = 0; job < jobs; job++) {
            float sum = sums[job * stride];
            target[job * columns] = add ? target[job * columns] + sum : sum;
        }
}

// ---- attention (Eq. 3): a block has a head of an instance, and a warp some of its rows

KERNEL attend(const float* queries, const float* keys, const float* values, int jobs, int heads, int columns,
              int is_open_only, float* weights, float* out) {
    int width = columns / heads, head = blockIdx.x % heads, lane = threadIdx.x % 32;
    long long first = (long long)(blockIdx.x / heads) * jobs;
    float factor = 1.0f / sqrtf((float)width);
    for (int row = threadIdx.x / 32; row < jobs; row += blockDim.x / 32) {
        const float* query = queries + (first + row) * columns + head * width;
        float* weight = weights + ((first + row) * heads + head) * jobs;
        int begin = is_open_only ? row : 0;
        float largest = -INFINITY, sum = 0.0f;
        for (int job = lane; job < jobs; job += 32) {
            float score = 0.0f;
            const float* key = keys + (first + job) * columns + head * width;
            for (int i = 0; i < width; i++) score += query[i] * key[i];
            weight[job] = score * factor;
            if (job >= begin) largest = fmaxf(largest, score * factor);
        }
        largest = warp_max(largest);
        for (int job = lane; job < jobs; job += 32) {
            float chance = job >= begin ? expf(weight[job] - largest) : 0.0f;
            weight[job] = chance;
            sum += chance;
        }
        sum = warp_sum(sum);
        for (int job = lane; job < jobs; job += 32) weight[job] /= sum;
        __syncwarp();
        for (int i = lane; i < width; i += 32) {
            float seen = 0.0f;
            for (int job = begin; job < jobs; job++)
                seen += weight[job] * values[(first + job) * columns + head * width + i];
            out[(first + row) * columns + head * width + i] = seen;
        }
    }
}

KERNEL attend_gradient(const float* queries, const float* keys, const float* values, int jobs, int heads, int columns,
                       int is_open_only, const float* weights, const float* of_out, float* slopes,
                       float* of_queries, int add_queries, float* of_keys, int add_keys, float* of_values,
                       int add_values) {
    int width = columns / heads, head = blockIdx.x % heads, lane = threadIdx.x % 32;
    long long first = (long long)(blockIdx.x / heads) * jobs;
    float factor = 1.0f / sqrtf((float)width);
    for (int row = threadIdx.x / 32; row < jobs; row += blockDim.x / 32) {
        const float* of_row = of_out + (first + row) * columns + head * width;
        const float* weight = weights + ((first + row) * heads + head) * jobs;
        float* slope = slopes + ((first + row) * heads + head) * jobs;
        int begin = is_open_only ? row : 0;
        float mean = 0.0f;
        for (int job = begin + lane; job < jobs; job += 32) {
            float sum = 0.0f;
            const float* value = values + (first + job) * columns + head * width;
            for (int i = 0; i < width; i++) sum += of_row[i] * value[i];
            slope[job] = sum;
            mean += sum * weight[job];
        }
        mean = warp_sum(mean);
        for (int job = begin + lane; job < jobs; job += 32) slope[job] = factor * weight[job] * (slope[job] - mean);
        __syncwarp();
        for (int i = lane; i < width; i += 32) {
            float sum = 0.0f;
            for (int job = begin; job < jobs; job++)
                sum += slope[job] * keys[(first + job) * columns + head * width + i];
            float* of_query = of_queries + (first + row) * columns + head * width + i;
            *of_query = add_queries ? *of_query + sum : sum;
        }
    }
    __syncthreads();
    for (int place = threadIdx.x; place < jobs * width; place += blockDim.x) {
        int job = place / width, i = place % width;
        int end = is_open_only ? job + 1 : jobs;
        float of_key = 0.0f, of_value = 0.0f;
        for (int row = 0; row < end; row++) {
            long long at = ((first + row) * heads + head) * jobs + job;
            long long other = (first + row) * columns + head * width + i;
            of_key += slopes[at] * queries[other];
            of_value += weights[at] * of_out[other];
        }
        long long at = (first + job) * columns + head * width + i;
        of_keys[at] = add_keys ? of_keys[at] + of_key : of_key;
        of_values[at] = add_values ? of_values[at] + of_value : of_value;
    }
}

// ---- the decoder (Eq. 2, 4 and 5)

KERNEL queries(const float* start, const float* first, const float* last, const float* graph, int jobs, int columns,
               float* out, int n) {
    int i = THREAD;
    if (i >= n) return;
    int row = i / columns, column = i % columns, instance = row / jobs;
    float query = row % jobs == 0 ? start[column] : first[instance * columns + column] + last[i - columns];
    out[i] = query + graph[instance * columns + column];
}

KERNEL queries_gradient(const float* of_out, int count, int jobs, int columns, float* of_start, float* of_first,
                        int add_first, float* of_graph, int add_graph) {
    int i = THREAD;
    if (i >= (count + 1) * columns) return;
    int instance = i / columns, column = i % columns;
    if (instance == count) {
        float sum = 0.0f;
        for (int other = 0; other < count; other++) sum += of_out[(long long)other * jobs * columns + column];
        of_start[column] += sum;
        return;
    }
    const float* from = of_out + (long long)instance * jobs * columns + column;
    float later = 0.0f;
    for (int step = 1; step < jobs; step++) later += from[step * columns];
    of_first[i] = add_first ? of_first[i] + later : later;
    of_graph[i] = (add_graph ? of_graph[i] : 0.0f) + later + from[0];
}

KERNEL queries_gradient_last(const float* of_out, int jobs, int columns, float* of_last, int n, int add) {
    int i = THREAD;
    if (i >= n) return;
    float slope = i / columns % jobs + 1 < jobs ? of_out[i + columns] : 0.0f;
    of_last[i] = add ? of_last[i] + slope : slope;
}

KERNEL point(float* products, int jobs, float factor, float clip, float* probabilities, float* likely,
             float* entropy) {
    extern __shared__ float sums[];
    int lane = threadIdx.x % 32;
    for (int step = threadIdx.x / 32; step < jobs; step += blockDim.x / 32) {
        float* tanhs = products + ((long long)blockIdx.x * jobs + step) * jobs;
        float* chances = probabilities + ((long long)blockIdx.x * jobs + step) * jobs;
        float largest = -INFINITY, sum = 0.0f, own = 0.0f;
        for (int job = lane; job < jobs; job += 32) {
            float tanh = tanhf(tanhs[job] * factor);
            tanhs[job] = tanh;
            if (job >= step) largest = fmaxf(largest, tanh);
        }
        largest = warp_max(largest);
        for (int job = lane; job < jobs; job += 32) {
            float chance = job >= step ? expf(clip * (tanhs[job] - largest)) : 0.0f;
            chances[job] = chance;
            sum += chance;
        }
        sum = warp_sum(sum);
        float log_sum = logf(sum);
        for (int job = lane; job < jobs; job += 32) {
            float chance = chances[job] / sum;
            chances[job] = chance;
            if (job >= step) own -= chance * (clip * (tanhs[job] - largest) - log_sum);
        }
        own = warp_sum(own);
        __syncwarp();
        if (lane == 0) {
            sums[step] = clip * (tanhs[step] - largest) - log_sum;
            sums[jobs + step] = own;
        }
    }
    __syncthreads();
    if (threadIdx.x < 2) {
        float sum = 0.0f;
        for (int step = 0; step < jobs; step++) sum += sums[threadIdx.x * jobs + step];
        (threadIdx.x ? entropy : likely)[blockIdx.x] = sum;
    }
}

KERNEL point_gradient(const float* tanhs, const float* probabilities, int jobs, float factor, const float* of_likely,
                      float* out, int n) {
    int i = THREAD;
    if (i >= n) return;
    int job = i % jobs, step = i / jobs % jobs;
    float wanted = (job == step) - probabilities[i];
    float slope = factor * of_likely[i / jobs / jobs] * wanted * (1.0f - tanhs[i] * tanhs[i]);
    out[i] = job >= step ? slope : 0.0f;
}

// A block builds the order of an instance. Without draws the most likely job is taken, the first of several.
KERNEL roll_out(const float* keys, const float* values, const float* logit_keys, const float* as_first,
                const float* as_last, const float* graph, const float* start, int jobs, int heads, int columns,
                float clip, int sees_all, const float* draws, unsigned* orders) {
    extern __shared__ float shared[];
    float *query = shared, *glimpse = query + columns, *scores = glimpse + columns;
    int* is_open = (int*)(scores + heads * jobs);
    __shared__ int first_job, last_job;
    int width = columns / heads, lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    long long first = (long long)blockIdx.x * jobs;
    for (int job = threadIdx.x; job < jobs; job += blockDim.x) is_open[job] = 1;
    for (int step = 0; step < jobs; step++) {
        __syncthreads();
        for (int i = threadIdx.x; i < columns; i += blockDim.x)
            query[i] = graph[blockIdx.x * columns + i] +
                       (step == 0 ? start[i]
                                  : as_first[(first + first_job) * columns + i] + as_last[(first + last_job) * columns + i]);
        __syncthreads();
        for (int head = warp; head < heads; head += warps) {
            float* score = scores + head * jobs;
            float largest = -INFINITY, sum = 0.0f;
            for (int job = lane; job < jobs; job += 32) {
                const float* key = keys + (first + job) * columns + head * width;
                float product = 0.0f;
                for (int i = 0; i < width; i++) product += query[head * width + i] * key[i];
                score[job] = product / sqrtf((float)width);
                if (sees_all || is_open[job]) largest = fmaxf(largest, score[job]);
            }
            largest = warp_max(largest);
            for (int job = lane; job < jobs; job += 32) {
                score[job] = sees_all || is_open[job] ? expf(score[job] - largest) : 0.0f;
                sum += score[job];
            }
            sum = warp_sum(sum);
            __syncwarp();
            for (int i = lane; i < width; i += 32) {
                float seen = 0.0f;
                for (int job = 0; job < jobs; job++)
                    seen += score[job] * values[(first + job) * columns + head * width + i];
                glimpse[head * width + i] = seen / sum;
            }
        }
        __syncthreads();
        for (int job = warp; job < jobs; job += warps) {
            float product = 0.0f;
            for (int i = lane; i < columns; i += 32) product += glimpse[i] * logit_keys[(first + job) * columns + i];
            product = warp_sum(product);
            if (lane == 0) scores[job] = clip * tanhf(product / sqrtf((float)columns));
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            int chosen = -1;
            float largest = -INFINITY;
            for (int job = 0; job < jobs; job++)
                if (is_open[job] && (chosen < 0 || scores[job] > largest)) largest = scores[job], chosen = job;
            if (draws) {
                float sum = 0.0f, passed = 0.0f;
                for (int job = 0; job < jobs; job++)
                    if (is_open[job]) sum += expf(scores[job] - largest);
                float draw = draws[first + step] * sum;
                for (int job = 0; job < jobs; job++)
                    if (is_open[job]) {
                        chosen = job;
                        passed += expf(scores[job] - largest);
                        if (passed > draw) break;
                    }
            }
            is_open[chosen] = 0;
            last_job = chosen;
            if (step == 0) first_job = chosen;
            orders[first + step] = chosen;
        }
    }
}

// ---- the bidirectional policy: what groups of rows have in common, and the choice of an action

__device__ float group_mean(const float* x, int group, int count, int columns, int column) {
    float sum = 0.0f;
    for (int row = 0; row < count; row++) sum += x[((long long)group * count + row) * columns + column];
    return sum / count;
}

KERNEL pool(const float* x, int count, int columns, int is_other, float a, float b, float c, float d, float* out,
            int n) {
    int i = THREAD, width = 2 * columns + (is_other ? columns : 4);
    if (i >= n) return;
    int group = i / width, place = i % width;
    float result;
    if (place < columns) {
        result = group_mean(x, group, count, columns, place);
    } else if (place < 2 * columns) {
        result = -INFINITY;
        for (int row = 0; row < count; row++)
            result = fmaxf(result, x[((long long)group * count + row) * columns + place - columns]);
    } else if (is_other) {
        result = group_mean(x, group ^ 1, count, columns, place - 2 * columns);
    } else {
        int which = place - 2 * columns;
        result = which == 0 ? a : which == 1 ? b : which == 2 ? c : d;
    }
    out[i] = result;
}

KERNEL pool_gradient(const float* x, int count, int columns, int width, int is_other, const float* of_out,
                     float* of_x, int n, int add) {
    int i = THREAD;
    if (i >= n) return;
    int group = i / columns, column = i % columns;
    float mean = of_out[(long long)group * width + column];
    if (is_other) mean += of_out[(long long)(group ^ 1) * width + 2 * columns + column];
    long long first = (long long)group * count * columns + column;
    int most = 0;
    for (int row = 1; row < count; row++)
        if (x[first + row * columns] > x[first + most * columns]) most = row;
    for (int row = 0; row < count; row++) {
        float slope = mean / count + (row == most ? of_out[(long long)group * width + columns + column] : 0.0f);
        float* of = of_x + first + row * columns;
        *of = add ? *of + slope : slope;
    }
}

KERNEL take(const float* logits, const float* taught, float clip, float* tanhs, float* probabilities, float* likely,
            int rows, int columns) {
    int row = THREAD / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    long long first = (long long)row * columns;
    float largest = -INFINITY, sum = 0.0f, wanted = 0.0f;
    for (int i = lane; i < columns; i += 32) {
        float tanh = tanhf(logits[first + i] / clip);
        tanhs[first + i] = tanh;
        largest = fmaxf(largest, tanh);
    }
    largest = warp_max(largest);
    for (int i = lane; i < columns; i += 32) {
        float chance = expf(clip * (tanhs[first + i] - largest));
        probabilities[first + i] = chance;
        sum += chance;
        wanted += chance * taught[first + i];
    }
    sum = warp_sum(sum);
    wanted = warp_sum(wanted);
    for (int i = lane; i < columns; i += 32) probabilities[first + i] /= sum;
    if (lane == 0) likely[row] = logf(wanted / sum);
}

KERNEL take_gradient(const float* tanhs, const float* probabilities, const float* taught, const float* of_likely,
                     float* out, int rows, int columns) {
    int row = THREAD / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    long long first = (long long)row * columns;
    float wanted = 0.0f;
    for (int i = lane; i < columns; i += 32) wanted += probabilities[first + i] * taught[first + i];
    wanted = warp_sum(wanted);
    for (int i = lane; i < columns; i += 32) {
        float tanh = tanhs[first + i], chance = probabilities[first + i];
        out[first + i] = of_likely[row] * chance * (taught[first + i] / wanted - 1.0f) * (1.0f - tanh * tanh);
    }
}

// ---- a step of a long short-term memory: gates are input, forget and output, and then the new content

KERNEL pass(float* gates, int gates_stride, const float* bias, const float* before, int cell_stride, float* cell,
            float* hidden, int hidden_stride, float* passed, int passed_stride, int columns, int n) {
    int i = THREAD;
    if (i >= n) return;
    int row = i / columns, column = i % columns;
    float* gate = gates + (long long)row * gates_stride + column;
    bias += column;
    float in = sigmoid(gate[0] + bias[0]), forget = sigmoid(gate[columns] + bias[columns]);
    float out = sigmoid(gate[2 * columns] + bias[2 * columns]), content = tanhf(gate[3 * columns] + bias[3 * columns]);
    gate[0] = in, gate[columns] = forget, gate[2 * columns] = out, gate[3 * columns] = content;
    long long at = (long long)row * cell_stride + column;
    float kept = in * content + (before ? forget * before[at] : 0.0f);
    cell[at] = kept;
    float shown = out * tanhf(kept);
    hidden[(long long)row * hidden_stride + column] = shown;
    if (passed) passed[(long long)row * passed_stride + column] = shown;
}

KERNEL pass_gradient(float* gates, int gates_stride, const float* before, int cell_stride, const float* cell,
                     const float* of_hidden, int hidden_stride, const float* of_passed, float* of_cell, int columns,
                     int n) {
    int i = THREAD;
    if (i >= n) return;
    int row = i / columns, column = i % columns;
    float* gate = gates + (long long)row * gates_stride + column;
    float in = gate[0], forget = gate[columns], out = gate[2 * columns], content = gate[3 * columns];
    long long at = (long long)row * cell_stride + column;
    float slope = of_hidden[(long long)row * hidden_stride + column] + (of_passed ? of_passed[i] : 0.0f);
    float tanh = tanhf(cell[at]), of = of_cell[i] + slope * out * (1.0f - tanh * tanh);
    gate[0] = of * content * in * (1.0f - in);
    gate[columns] = before ? of * before[at] * forget * (1.0f - forget) : 0.0f;
    gate[2 * columns] = slope * tanh * out * (1.0f - out);
    gate[3 * columns] = of * in * (1.0f - content * content);
    of_cell[i] = of * forget;
}

// ---- losses and the optimiser; a single block of 256 threads takes a whole sum

__device__ float block_sum(float x) {
    __shared__ float sums[8];
    x = warp_sum(x);
    __syncthreads();
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x;
    __syncthreads();
    float sum = 0.0f;
    for (int warp = 0; warp < 8; warp++) sum += sums[warp];
    return sum;
}

KERNEL add_dot(const float* a, const float* b, int n, float* sum) {
    float own = 0.0f;
    for (int i = threadIdx.x; i < n; i += 256) own += a[i] * b[i];
    own = block_sum(own);
    if (threadIdx.x == 0) *sum += own;
}

KERNEL criticise(const float* values, const float* costs, float share, float* of_values, float* advantages,
                 float* sum, int n) {
    float own = 0.0f;
    for (int i = threadIdx.x; i < n; i += 256) {
        float error = values[i] - costs[i];
        of_values[i] = 2.0f * share * error;
        advantages[i] = -share * error;
        own += share * error * error;
    }
    own = block_sum(own);
    if (threadIdx.x == 0) *sum += own;
}

KERNEL squares(const float* x, int n, float* partial) {
    float own = 0.0f;
    for (int i = THREAD; i < n; i += gridDim.x * 256) own += x[i] * x[i];
    own = block_sum(own);
    if (threadIdx.x == 0) partial[blockIdx.x] = own;
}

KERNEL root_of_sum(const float* partial, int n, float* root) {
    float own = 0.0f;
    for (int i = threadIdx.x; i < n; i += 256) own += partial[i];
    own = block_sum(own);
    if (threadIdx.x == 0) *root = sqrtf(own);
}

KERNEL adam(const float* gradient, const float* norm, float clip, float rate, float second_factor, float* first,
            float* second, float* weights, int n) {
    int i = THREAD;
    if (i >= n) return;
    float slope = fminf(clip / (*norm + 1e-6f), 1.0f) * gradient[i];
    first[i] = 0.9f * first[i] + (1.0f - 0.9f) * slope;
    second[i] = 0.999f * second[i] + (1.0f - 0.999f) * slope * slope;
    weights[i] -= rate * first[i] / (second_factor * sqrtf(second[i]) + 1e-8f);
}
