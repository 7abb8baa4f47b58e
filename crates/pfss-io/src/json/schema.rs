//! The names of the schemas.

/// The schema of instances with times only.
pub const SCHEMA: &str = "pfss.instance/1";
/// The schema of instances whose jobs or machines carry more.
pub const PLANNER_SCHEMA: &str = "pfss.instance/2";
