// SPDX-License-Identifier: Apache-2.0
//! Pictures of the screen: every node a rectangle whose colour comes from what it says.

use super::layout::{HEIGHT, Pane, WIDTH};
use bailey_ports::device::{Bounds, Node, Picture, PictureFormat};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{ExtendedColorType, ImageEncoder, ImageResult, Rgb, RgbImage, codecs::png::PngEncoder};

/// Draws the windows; the longer edge has at most `max_edge` pixels.
pub(crate) fn draw(panes: &[Pane], max_edge: u32) -> ImageResult<Picture> {
    let (wide, high) = (WIDTH.unsigned_abs(), HEIGHT.unsigned_abs());
    let height = max_edge.min(high);
    let width = (height * wide / high).max(1);
    let mut image = RgbImage::from_pixel(width, height, Rgb([0, 0, 0]));
    for pane in panes.iter().rev() {
        fill(&mut image, pane.window.bounds, Rgb([255, 255, 255]));
        for node in pane.window.nodes.iter().filter(|node| !node.hidden) {
            if let Some(colour) = colour(node) {
                fill(&mut image, node.bounds, colour);
            }
        }
    }
    let mut png = Vec::new();
    PngEncoder::new(&mut png).write_image(image.as_raw(), width, height, ExtendedColorType::Rgb8)?;
    Ok(Picture { width, height, format: PictureFormat::Png, data: STANDARD.encode(png) })
}

/// Nodes that say nothing have no colour.
fn colour(node: &Node) -> Option<Rgb<u8>> {
    let says = if node.text.is_empty() { &node.description } else { &node.text };
    if says.is_empty() {
        return None;
    }
    // FNV-1a: the same on every machine.
    let hash = says.bytes().fold(0x811c_9dc5_u32, |hash, b| (hash ^ u32::from(b)).wrapping_mul(0x0100_0193));
    let [_, red, green, blue] = hash.to_be_bytes();
    Some(Rgb([red, green, blue]))
}

fn fill(image: &mut RgbImage, bounds: Bounds, colour: Rgb<u8>) {
    let Bounds(left, top, right, bottom) = bounds.intersection(Bounds(0, 0, WIDTH, HEIGHT));
    let x = |at: i32| at.max(0).unsigned_abs() * image.width() / WIDTH.unsigned_abs();
    let y = |at: i32| at.max(0).unsigned_abs() * image.height() / HEIGHT.unsigned_abs();
    let (columns, rows) = (x(left)..x(right), y(top)..y(bottom));
    for row in rows {
        for column in columns.clone() {
            image.put_pixel(column, row, colour);
        }
    }
}
