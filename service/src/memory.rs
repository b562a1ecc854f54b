//! The memory available to this process, and how many searches with their hash tables fit into it.

use std::fs;
use std::num::NonZero;
use std::thread::available_parallelism;

use thiserror::Error;

use crate::Config;

const BYTES_PER_KIB: u64 = 1 << 10;
const BYTES_PER_MIB: u64 = 1 << 20;

/// Files in which control groups (version 2 and 1) state their limit in bytes.
const GROUP_LIMIT_FILES: [&str; 2] = [
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
];

#[derive(Debug, Error)]
#[error("cannot allocate a hash table of {wanted} MB: {available} MB of memory are available")]
pub struct MemoryError {
    wanted: usize,
    available: usize,
}

/// Fails if there is not enough memory for a hash table in place of one that holds `held` MiB. The
/// system may grant what it does not have, and end the process when that is used.
pub fn check_hash(wanted: usize, held: usize) -> Result<(), MemoryError> {
    match available_beside(held) {
        Some(available) if wanted > available => Err(MemoryError { wanted, available }),
        _ => Ok(()),
    }
}

/// The memory available now, in MiB; `None` where the system does not tell, so that the allocation
/// decides.
pub fn available_mebibytes() -> Option<usize> {
    available_beside(0)
}

/// The memory available once `held` MiB are given back, in MiB.
fn available_beside(held: usize) -> Option<usize> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok();
    let free = meminfo.and_then(|text| bytes_of(&text, "MemAvailable:"));
    let limits = GROUP_LIMIT_FILES
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok());
    least(free, limits, held)
}

/// The memory that is free, and that will be, within the limits of all that is used.
fn least(free: Option<u64>, limits: impl Iterator<Item = u64>, held: usize) -> Option<usize> {
    let held = u64::try_from(held).unwrap_or(u64::MAX);
    let free = free.map(|free| free.saturating_add(held.saturating_mul(BYTES_PER_MIB)));
    let available = free.into_iter().chain(limits).min()?;
    Some(usize::try_from(available / BYTES_PER_MIB).unwrap_or(usize::MAX))
}

/// The number of searches that run at the same time: as many as wanted, or as there are processors
/// for, but no more than fit into memory; at least one.
pub fn jobs(wanted: Option<usize>, config: &Config) -> usize {
    let cpus = available_parallelism().map_or(1, NonZero::get);
    let wanted = wanted.unwrap_or(cpus / config.threads);
    wanted.clamp(1, most_jobs(config.hash, config.threads))
}

/// The number of concurrent searches that fit into memory, each with a hash table of `hash` MiB and
/// `threads` threads; at least one.
fn most_jobs(hash: usize, threads: usize) -> usize {
    /// MiB of the histories and accumulators of a thread.
    const THREAD: usize = 6;
    /// MiB of address space that an allocator reserves for a thread.
    const ARENA: usize = 64;
    const RESERVED: usize = (search::STACK_BYTES >> 20) + ARENA;
    let fitting = |available: Option<usize>, thread: usize| {
        available.map_or(usize::MAX, |available| {
            available / hash.saturating_add(thread.saturating_mul(threads)).max(1)
        })
    };
    let fit = fitting(available_mebibytes(), THREAD);
    fit.min(fitting(address_space(), THREAD + RESERVED)).max(1)
}

/// The address space that a limit (`ulimit -v`) leaves, in MiB; `None` without a limit.
fn address_space() -> Option<usize> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let limit = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max address space"))?;
    let limit = limit.split_whitespace().next()?.parse::<u64>().ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let used = bytes_of(&status, "VmSize:")?;
    usize::try_from(limit.saturating_sub(used) / BYTES_PER_MIB).ok()
}

/// A quantity in a file of `/proc`, where it is in kB.
fn bytes_of(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?;
    kibibytes.checked_mul(BYTES_PER_KIB)
}

#[cfg(test)]
mod tests {
    use super::{BYTES_PER_MIB, available_mebibytes, bytes_of, least};

    #[test]
    fn reads_the_available_line_only() {
        let text = "MemTotal:       131072 kB\nMemFree:  1 kB\nMemAvailable:      2048 kB\n";
        assert_eq!(bytes_of(text, "MemAvailable:"), Some(2 * 1024 * 1024));
        assert_eq!(bytes_of("MemTotal: 5 kB\n", "MemAvailable:"), None);
        assert_eq!(bytes_of("MemAvailable: many kB\n", "MemAvailable:"), None);
    }

    #[test]
    fn the_memory_of_the_old_table_is_available_but_no_limit_grows() {
        let mebibytes = |count: u64| count * BYTES_PER_MIB;
        let free = Some(mebibytes(1000));
        assert_eq!(least(free, [].into_iter(), 500), Some(1500));
        let limit = [mebibytes(1200)];
        assert_eq!(least(free, limit.into_iter(), 500), Some(1200));
        assert_eq!(least(None, [].into_iter(), 500), None);
    }

    #[test]
    fn some_memory_is_available() {
        assert_ne!(available_mebibytes(), Some(0));
    }
}
