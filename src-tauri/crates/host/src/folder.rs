// SPDX-License-Identifier: Apache-2.0
use etcetera::BaseStrategy;
use std::path::PathBuf;

/// The folder for Bailey's data unless the person names another: `$XDG_DATA_HOME/bailey` (`~/.local/share/bailey`) on
/// Linux, `~/Library/Application Support/bailey` on macOS, `%LOCALAPPDATA%\bailey` on Windows. `None` where there is no
/// home folder. It is not created here.
pub fn data_dir() -> Option<PathBuf> {
    let strategy = etcetera::base_strategy::choose_native_strategy().ok()?;
    // The roaming folder of Windows is copied about at login, a database should not be.
    let parent = if cfg!(windows) { strategy.cache_dir() } else { strategy.data_dir() };
    Some(parent.join("bailey"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_folder_is_absolute_and_named_after_the_app() {
        let folder = super::data_dir().expect("a home folder");
        assert!(folder.is_absolute() && folder.ends_with("bailey"), "{}", folder.display());
    }
}
