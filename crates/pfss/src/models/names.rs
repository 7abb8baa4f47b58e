//! Where models are, and what they are called.

/// The model for most flow shops.
pub const BUILT_IN_MODEL: &str = "front";

/// The model for many machines.
pub(super) const WIDE_MODEL: &str = "front-wide";

/// All models that are part of the program.
pub const BUILT_IN_MODELS: [&str; 2] = [BUILT_IN_MODEL, WIDE_MODEL];

/// The folder of models that are found by their names, `models/NAME/model.safetensors`, below the current one.
pub const MODEL_FOLDER: &str = "models";

/// The file of a model in its folder.
pub const MODEL_FILE: &str = "model.safetensors";
