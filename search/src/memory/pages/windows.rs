//! Large pages on Windows, which an administrator must allow: the privilege "Lock pages in
//! memory".

use std::ptr::{self, NonNull};
use std::sync::LazyLock;

use windows_sys::Win32::Foundation::{CloseHandle, ERROR_SUCCESS, GetLastError, LUID};
use windows_sys::Win32::Security::{
    AdjustTokenPrivileges, LUID_AND_ATTRIBUTES, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME,
    SE_PRIVILEGE_ENABLED, TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES,
};
use windows_sys::Win32::System::Memory::{
    GetLargePageMinimum, MEM_COMMIT, MEM_LARGE_PAGES, MEM_RELEASE, MEM_RESERVE, PAGE_READWRITE,
    VIRTUAL_ALLOCATION_TYPE, VirtualAlloc, VirtualFree,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

use super::SIZE;

/// Memory from the system; freed when dropped.
#[derive(Debug)]
pub(in super::super) struct Pages(NonNull<u8>);

impl Pages {
    /// Zeroed large pages, aligned to their size; `None` where they are not allowed or used up.
    /// `bytes` is a multiple of the page size.
    pub(in super::super) fn large(bytes: usize) -> Option<Pages> {
        ARE_ALLOWED
            .then(|| Pages::allocate(bytes, MEM_LARGE_PAGES))
            .flatten()
    }

    fn allocate(bytes: usize, kind: VIRTUAL_ALLOCATION_TYPE) -> Option<Pages> {
        let kind = MEM_RESERVE | MEM_COMMIT | kind;
        // SAFETY: without an address the system chooses one that is not in use.
        let start = unsafe { VirtualAlloc(ptr::null(), bytes, kind, PAGE_READWRITE) };
        NonNull::new(start.cast()).map(Pages)
    }

    pub(in super::super) fn start(&self) -> NonNull<u8> {
        self.0
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the address is from `VirtualAlloc`, and is released once.
        unsafe { VirtualFree(self.0.as_ptr().cast(), 0, MEM_RELEASE) };
    }
}

static ARE_ALLOWED: LazyLock<bool> = LazyLock::new(|| {
    // SAFETY: a call without arguments.
    let smallest = unsafe { GetLargePageMinimum() };
    smallest == SIZE && enable_privilege()
});

/// Enables the privilege for this process, if its user has it.
fn enable_privilege() -> bool {
    let mut id = LUID::default();
    let mut token = ptr::null_mut();
    // SAFETY: the name is a constant with a zero at its end; the rest points to variables.
    let is_open = unsafe {
        LookupPrivilegeValueW(ptr::null(), SE_LOCK_MEMORY_NAME, &raw mut id) != 0
            && OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES, &raw mut token) != 0
    };
    if !is_open {
        return false;
    }
    let privileges = TOKEN_PRIVILEGES {
        PrivilegeCount: 1,
        Privileges: [LUID_AND_ATTRIBUTES {
            Luid: id,
            Attributes: SE_PRIVILEGE_ENABLED,
        }],
    };
    // SAFETY: the token is open until it is closed here; the previous state is not wanted.
    unsafe {
        let adjusted = AdjustTokenPrivileges(
            token,
            0,
            &raw const privileges,
            0,
            ptr::null_mut(),
            ptr::null_mut(),
        );
        // It succeeds without the privilege, too, and then says so here.
        let enabled = adjusted != 0 && GetLastError() == ERROR_SUCCESS;
        CloseHandle(token);
        enabled
    }
}

#[cfg(test)]
mod tests {
    use super::{Pages, SIZE};

    /// Small ones, since large ones need a privilege.
    #[test]
    fn pages_are_zeroed_and_returned() {
        for _ in 0..3 {
            let pages = Pages::allocate(SIZE, 0).expect("memory");
            // SAFETY: as many bytes were allocated, and nobody else has them.
            let bytes = unsafe { std::slice::from_raw_parts_mut(pages.start().as_ptr(), SIZE) };
            assert!(bytes.iter().all(|byte| *byte == 0));
            bytes.fill(1);
        }
        assert!(Pages::allocate(usize::MAX / 2, 0).is_none());
    }
}
