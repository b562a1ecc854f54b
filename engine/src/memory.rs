//! The memory available to this process.

use std::fs;

const BYTES_PER_KIB: u64 = 1 << 10;
const BYTES_PER_MIB: u64 = 1 << 20;

/// The limit where the system does not state one: more than any machine has, so that the allocation
/// decides.
const UNKNOWN_LIMIT_MIB: u32 = 1 << 25;

/// Where control groups (version 2 and 1) state their limit in bytes.
const GROUP_LIMIT_FILES: [&str; 2] = [
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
];

/// The memory available now, in MiB.
pub(crate) fn available_mebibytes() -> u32 {
    let machine = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| available_in_meminfo(&text));
    let groups = GROUP_LIMIT_FILES
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok());
    machine
        .into_iter()
        .chain(groups)
        .min()
        .map_or(UNKNOWN_LIMIT_MIB, |bytes| {
            u32::try_from(bytes / BYTES_PER_MIB).unwrap_or(u32::MAX)
        })
}

fn available_in_meminfo(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?;
    kibibytes.checked_mul(BYTES_PER_KIB)
}

#[cfg(test)]
mod tests {
    use super::{available_in_meminfo, available_mebibytes};

    #[test]
    fn reads_the_available_line_only() {
        let text = "MemTotal:       131072 kB\nMemFree:  1 kB\nMemAvailable:      2048 kB\n";
        assert_eq!(available_in_meminfo(text), Some(2 * 1024 * 1024));
        assert_eq!(available_in_meminfo("MemTotal: 5 kB\n"), None);
        assert_eq!(available_in_meminfo("MemAvailable: many kB\n"), None);
    }

    #[test]
    fn some_memory_is_available() {
        assert!(available_mebibytes() > 0);
    }
}
