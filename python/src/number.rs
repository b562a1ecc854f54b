//! Numbers as arguments.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::errors::value_error;

/// A number; one that is too small or too large is a ValueError.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number<T>(pub(crate) T);

impl<'a, 'py, T: FromPyObject<'a, 'py, Error = PyErr>> FromPyObject<'a, 'py> for Number<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let number = object.extract();
        let object = &*object;
        number.map(Self).map_err(|error: PyErr| {
            if error.is_instance_of::<PyOverflowError>(object.py()) {
                let most = u128::MAX >> (128 - 8 * size_of::<T>());
                value_error(format!(
                    "expected a number from 0 to {most}, found {object}"
                ))
            } else {
                error
            }
        })
    }
}
