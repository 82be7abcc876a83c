// SPDX-License-Identifier: Apache-2.0
use bailey_ports::Secret;

/// Takes a secret out of the environment: returns its value and leaves it neither to programs started later nor to
/// whoever reads `/proc/<pid>/environ`, where the bytes the process was started with are overwritten.
///
/// Call it first thing in `main`: **before there is a second thread**, since another thread could be reading the
/// environment, and before anything sets this variable anew, since the first bytes would then no longer be found.
/// `None` when the variable is not set, empty, or not Unicode; it is removed all the same.
#[expect(
    unsafe_code,
    reason = "removing a variable and overwriting its bytes has no safe way; there is one thread yet"
)]
pub fn scrub_environment(name: &str) -> Option<Secret> {
    let secret = std::env::var(name).ok().map(|value| Secret::new(&value)).filter(|secret| !secret.is_empty());
    #[cfg(unix)]
    overwrite(name);
    // SAFETY: the caller has one thread, so nobody else reads or writes the environment.
    unsafe { std::env::remove_var(name) };
    secret
}

/// Overwrites the value in every entry of this name; a process can be started with several.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the environment block is only reachable by pointer; there is one thread yet")]
fn overwrite(name: &str) {
    // SAFETY: `environ` is a null-terminated array of null-terminated strings that belong to this process and are
    // writable (the kernel puts them on the stack, setenv on the heap), and nobody else uses them: there is one thread.
    unsafe {
        let mut entry = environ();
        while !entry.is_null() && !(*entry).is_null() {
            let length = libc::strlen(*entry);
            let bytes = std::slice::from_raw_parts_mut((*entry).cast::<u8>(), length);
            if let Some(b'=') = bytes.get(name.len())
                && bytes.starts_with(name.as_bytes())
            {
                bytes[name.len() + 1..].fill(0);
                // The optimiser must not take this for a write that nobody sees.
                std::hint::black_box(&bytes);
            }
            entry = entry.add(1);
        }
    }
}

#[cfg(all(unix, not(target_vendor = "apple")))]
#[expect(unsafe_code, reason = "the C library's variable")]
fn environ() -> *mut *mut libc::c_char {
    unsafe extern "C" {
        static mut environ: *mut *mut libc::c_char;
    }
    // SAFETY: every C library on these systems defines it; the pointer is copied.
    unsafe { environ }
}

#[cfg(target_vendor = "apple")]
#[expect(unsafe_code, reason = "the C library's function")]
fn environ() -> *mut *mut libc::c_char {
    // SAFETY: it always returns a valid pointer to the variable.
    unsafe { *libc::_NSGetEnviron() }
}
