//! The kernels, by what they show.

pub mod aggregates;
pub mod arith;
pub mod cases;
pub mod device;
pub mod elements;
pub mod faults;
pub mod guards;
pub mod language;
pub mod modules;
pub mod more;
pub mod names;
pub mod prints;
