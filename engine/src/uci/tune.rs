//! The search's numbers in builds made for tuning: printed for a tuner, and set as options.

use search::params;

/// One line a number: name, default, smallest, largest, step.
pub(crate) fn lines() -> impl Iterator<Item = String> {
    params::table().into_iter().map(|row| {
        let (name, default, min, max) = (row.name, row.default, row.min, row.max);
        format!("info string tune {name} {default} {min} {max} {}", row.step)
    })
}

/// Sets a number; the option table has checked that it exists and that the value fits.
pub(crate) fn set(name: &str, value: i32) {
    if let Some(row) = params::table().iter().find(|row| row.name == name) {
        row.set(value);
    }
}
