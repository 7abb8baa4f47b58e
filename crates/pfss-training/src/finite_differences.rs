//! The slow twin of gradients.

/// Compares a gradient with differences of the loss, for every seventh parameter, so that every tensor has its turn.
pub(crate) fn compare_gradient(row: &[f32], gradient: &[f32], loss: &dyn Fn(&[f32]) -> f64, what: &str) {
    let slope = |index: usize, step: f32| -> f64 {
        let moved = |by: f32| {
            let mut row = row.to_vec();
            row[index] += by;
            (loss(&row), row[index])
        };
        let ((above, up), (below, down)) = (moved(step), moved(-step));
        (above - below) / f64::from(up - down)
    };
    for index in (0..row.len()).step_by(7) {
        let found = f64::from(gradient[index]);
        let wide = slope(index, 1e-3);
        let tolerance = 1e-3 * wide.abs().max(0.05);
        // A kink (a maximum, a ReLU) within the step moves the difference; a smaller step finds it.
        if (wide - found).abs() > tolerance {
            let narrow = slope(index, 2f32.powi(-14));
            assert!((narrow - found).abs() < tolerance, "{index}: {found} {narrow} {what}");
        }
    }
}
