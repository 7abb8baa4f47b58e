//! Names for schemas that stand in `description/schemas.json`, or that the description makes from what the program knows by name.

use utoipa::ToSchema;

macro_rules! schemas {
    ($($name:ident),*) => { $(
        #[derive(ToSchema)]
        #[allow(dead_code)]
        pub(crate) struct $name;
    )* };
}

schemas!(
    Algorithm,
    AlgorithmName,
    Assignments,
    Chart,
    FormatName,
    Instance,
    Order,
    ResultRecord,
    Schedule,
    TimeLimit,
    UnitName
);
