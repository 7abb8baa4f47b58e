//! The oracle against a program of another kind, and what is refused.

mod bounds;
mod independent;
mod pricing;
mod random;
mod refusals;
mod sizes;
mod values;
