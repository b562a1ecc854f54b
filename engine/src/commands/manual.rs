//! What a system keeps of a program besides the program: completions for shells, manual pages.

use std::io;

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use thiserror::Error;

use crate::NAME;
use crate::output::printer::Printer;
use common::excerpt;

/// Prints completions for a shell
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    shell: Shell,
}

/// Prints the manual page of the program, or of one of its jobs
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// A job, such as analyze, or 'book make'
    job: Vec<String>,
}

/// Why there is no page.
#[derive(Debug, Error)]
pub(crate) enum ManError {
    #[error("there is no job '{name}'; there are {}", known.join(", "))]
    Unknown { name: String, known: Vec<String> },
    #[error("the page could not be written: {0}")]
    Write(#[from] io::Error),
}

pub(crate) fn completions(
    args: &CompletionsArgs,
    mut command: Command,
    printer: &Printer<io::Stdout>,
) {
    let name = command.get_name().to_owned();
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut text);
    printer.line(String::from_utf8_lossy(&text).trim_end());
}

pub(crate) fn man(
    args: &ManArgs,
    command: Command,
    printer: &Printer<io::Stdout>,
) -> Result<(), ManError> {
    let mut page = command;
    let mut name = page.get_name().to_owned();
    for job in &args.job {
        let found = page.find_subcommand(job).cloned();
        let Some(found) = found else {
            return Err(ManError::Unknown {
                name: excerpt(job),
                known: page
                    .get_subcommands()
                    .map(|job| job.get_name().to_owned())
                    .collect(),
            });
        };
        name = format!("{name}-{}", found.get_name());
        page = found
            .display_name(name.clone())
            .bin_name(name.replace('-', " "));
    }
    let mut text = Vec::new();
    Man::new(page).source(NAME).render(&mut text)?;
    printer.line(String::from_utf8_lossy(&text).trim_end());
    Ok(())
}
