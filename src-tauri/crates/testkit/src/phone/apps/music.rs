// SPDX-License-Identifier: Apache-2.0
//! A player of music.

use crate::phone::view::{View, column, icon, row, text, top};
use crate::phone::world::World;
use bailey_ports::device::MediaKey;

const PIECES: [&str; 3] = ["Für Elise", "Gymnopédie No. 1", "Clair de lune"];

/// The player.
#[derive(Clone, Debug, Default)]
pub(crate) struct Music {
    pub(crate) playing: bool,
    piece: usize,
}

impl Music {
    pub(crate) fn press(&mut self, key: MediaKey) {
        match key {
            MediaKey::PlayPause => self.playing = !self.playing,
            MediaKey::Play => self.playing = true,
            MediaKey::Pause | MediaKey::Stop => self.playing = false,
            MediaKey::Next => self.piece = (self.piece + 1) % PIECES.len(),
            MediaKey::Previous => self.piece = (self.piece + PIECES.len() - 1) % PIECES.len(),
        }
    }
}

pub(crate) fn draw(w: &World) -> View {
    let music = &w.music;
    column([
        top("Music", []),
        text(PIECES[music.piece]).id("piece"),
        row([
            icon("previous", "Previous").tap(|w| w.music.press(MediaKey::Previous)),
            icon("play", if music.playing { "Pause" } else { "Play" }).tap(|w| w.music.press(MediaKey::PlayPause)),
            icon("next", "Next").tap(|w| w.music.press(MediaKey::Next)),
        ]),
    ])
}
