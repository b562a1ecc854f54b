//! Errors of commands.

/// Any error a command ends with; the program prints it. Errors that callers
/// distinguish have their own types.
pub(crate) type CommandError = Box<dyn std::error::Error + Send + Sync>;

pub(crate) fn output_error(error: &std::io::Error) -> CommandError {
    format!("cannot write to standard output: {error}").into()
}
