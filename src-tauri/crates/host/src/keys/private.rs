// SPDX-License-Identifier: Apache-2.0
//! Files that the person's own account alone can read. On Windows their folder sees to that: it lies in the profile, whose
//! access rights it inherits.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use zeroize::Zeroizing;

/// Makes a folder that only its owner can enter, or makes it so.
pub(super) fn folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    restrict(path, &fs::metadata(path)?)
}

/// A file's content; `None` where there is none. One that others could read is first taken away from them.
pub(super) fn read(path: &Path) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    let about = file.metadata()?;
    restrict(path, &about)?;
    // As long as it is, so that no piece of it stays behind where the buffer grew.
    let mut content = Zeroizing::new(Vec::with_capacity(usize::try_from(about.len()).unwrap_or(0) + 1));
    file.read_to_end(&mut content)?;
    Ok(Some(content))
}

/// Writes a file in one step: a crash at any moment leaves the old content or the new one.
pub(super) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let new = path.with_extension("new");
    match fs::remove_file(&new) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    let mut options = fs::OpenOptions::new();
    // Made anew, so that a link that somebody put there is not followed.
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&new)?;
    file.write_all(content)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&new, path)?;
    sync_folder_of(path)
}

/// Makes what happened in a file's folder last through a power cut. Where folders can't be opened, the system does it by itself.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn restrict(path: &Path, about: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = about.permissions().mode() & 0o7777;
    if mode & 0o077 == 0 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700))?;
    tracing::warn!(
        "other accounts of this machine had access to {} (mode {mode:03o}); that was taken back. If somebody may have used it, make new keys at your providers.",
        path.display()
    );
    Ok(())
}

#[cfg(not(unix))]
fn restrict(_: &Path, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}
