//! Which model, and the parameters of the solver.

pfss_core::choice! {
    /// How the order of the jobs is written as 0-1 variables.
    pub enum Model {
        /// Which job stands at which position.
        Positional = "positional",
        /// Which job comes immediately before which.
        Predecessor = "predecessor",
    }
}

pfss_core::config! {
    /// Parameters of the mixed-integer solver.
    pub struct MipConfig {
        /// The model: by position (quicker), or by immediate predecessor with big-M (Appendix B of the paper).
        model: Model = Model::Positional;
    }
}
