// SPDX-License-Identifier: Apache-2.0
//! Attached pictures: checked, turned upright, made as small as models want them, and freed of what a camera writes into
//! a file (where it was, whose it is).

use crate::agent::{Agent, Inner, storage};
use bailey_protocol::model::{Request, Turn};
use bailey_protocol::{
    ApiError, Code, ConversationId, Labels, ModelFacts, PictureData, PictureDraft, PictureId, PictureRef, Source,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use std::io::Cursor;
use std::sync::Arc;

/// Pictures a message may have.
pub(crate) const MOST: usize = 8;
/// The largest file, in bytes.
const LARGEST: usize = 20 << 20;
/// The largest side a picture may have, in pixels; a small file can claim to be huge.
const WIDEST: u32 = 16_384;
/// The most memory decoding may take, in bytes.
const MEMORY: u64 = 512 << 20;
/// Longer sides are scaled down to this, in pixels: providers do no other, and larger ones only cost.
const LONGEST_SIDE: u32 = 1_568;
/// Of JPEG, in percent.
const QUALITY: u8 = 85;

/// A picture that is ready to be kept.
pub(crate) struct Prepared {
    pub(crate) reference: PictureRef,
    pub(crate) data: Vec<u8>,
}

impl Agent {
    /// An attached picture.
    pub fn picture(&self, id: &PictureId) -> Result<PictureData, ApiError> {
        let found = self.0.parts.store.picture(id).map_err(storage)?;
        let (media_type, data) =
            found.ok_or_else(|| ApiError::new(Code::NotFound, "this picture is not there (any more)"))?;
        Ok(PictureData { media_type, data: STANDARD.encode(data) })
    }
}

/// Reads what was attached, off the async threads.
pub(crate) async fn prepare(
    drafts: Vec<PictureDraft>,
    clean: impl Fn(&str) -> String,
) -> Result<Vec<Prepared>, ApiError> {
    if drafts.len() > MOST {
        return Err(bad(format!("a message takes at most {MOST} pictures")));
    }
    let mut prepared = Vec::with_capacity(drafts.len());
    for PictureDraft { name, data } in drafts {
        let name: String = clean(name.trim()).chars().filter(|c| !c.is_control()).take(120).collect();
        let name = if name.is_empty() { "picture".to_owned() } else { name };
        let shown = name.clone();
        let work = move || read(&data).map_err(|why| bad(format!("{shown}: {why}")));
        let read = tokio::task::spawn_blocking(work).await;
        let (media_type, picture, data) = read.map_err(|e| ApiError::new(Code::Internal, e.to_string()))??;
        let source = Source { tool: "attachment".to_owned(), detail: Some(name.clone()) };
        let reference = PictureRef {
            id: PictureId::new(uuid::Uuid::now_v7().simple().to_string()),
            name,
            media_type: media_type.to_owned(),
            width: picture.width(),
            height: picture.height(),
            labels: Labels { outside: vec![source], private: Vec::new() },
        };
        prepared.push(Prepared { reference, data });
    }
    Ok(prepared)
}

fn bad(message: String) -> ApiError {
    ApiError::new(Code::BadRequest, message)
}

fn read(base64: &str) -> Result<(&'static str, DynamicImage, Vec<u8>), String> {
    // A data URL is taken as well as its content.
    let base64 = base64.split_once("base64,").map_or(base64, |(_, content)| content);
    if base64.len() / 4 * 3 > LARGEST {
        return Err("the file is larger than 20 MB; make it smaller first".to_owned());
    }
    let file =
        STANDARD.decode(base64.trim()).map_err(|_| "the file did not arrive whole; attach it again".to_owned())?;
    redrawn(&file)
}

/// A picture from the web, for showing.
pub(crate) async fn shown(file: Vec<u8>) -> Result<PictureData, ApiError> {
    let work = tokio::task::spawn_blocking(move || redrawn(&file).map_err(bad)).await;
    let (media_type, _, data) = work.map_err(|e| ApiError::new(Code::Internal, e.to_string()))??;
    Ok(PictureData { media_type: media_type.to_owned(), data: STANDARD.encode(data) })
}

/// Reads a picture and writes it anew: upright, not too large, and nothing in it but the picture.
fn redrawn(file: &[u8]) -> Result<(&'static str, DynamicImage, Vec<u8>), String> {
    let unread = "this is not a JPEG, PNG, WebP or GIF picture, or it is damaged; save it as JPEG or PNG first";
    let mut reader = ImageReader::new(Cursor::new(file)).with_guessed_format().map_err(|_| unread.to_owned())?;
    if !matches!(reader.format(), Some(ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP | ImageFormat::Gif)) {
        return Err(unread.to_owned());
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(WIDEST);
    limits.max_image_height = Some(WIDEST);
    limits.max_alloc = Some(MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|_| unread.to_owned())?;
    // A small file can hold a picture that fills the memory.
    if decoder.total_bytes() > MEMORY {
        return Err("the picture is too large; make it smaller first".to_owned());
    }
    let orientation = decoder.orientation().unwrap_or(image::metadata::Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|_| unread.to_owned())?;
    picture.apply_orientation(orientation);
    if picture.width().max(picture.height()) > LONGEST_SIDE {
        picture = picture.resize(LONGEST_SIDE, LONGEST_SIDE, image::imageops::FilterType::CatmullRom);
    }
    let mut data = Vec::new();
    let failed = |e: image::ImageError| e.to_string();
    if picture.color().has_alpha() || image::guess_format(file).is_ok_and(|format| format == ImageFormat::Png) {
        picture.write_to(&mut Cursor::new(&mut data), ImageFormat::Png).map_err(failed)?;
        Ok(("image/png", picture, data))
    } else {
        picture = DynamicImage::ImageRgb8(picture.into_rgb8());
        picture.write_with_encoder(JpegEncoder::new_with_quality(&mut data, QUALITY)).map_err(failed)?;
        Ok(("image/jpeg", picture, data))
    }
}

impl Inner {
    pub(crate) fn keep_pictures(&self, conversation: &ConversationId, pictures: &[Prepared]) -> Result<(), ApiError> {
        for Prepared { reference, data } in pictures {
            let kept = self.parts.store.add_picture(conversation, &reference.id, &reference.media_type, data);
            kept.map_err(storage)?;
        }
        Ok(())
    }

    /// Brings the bytes of a request's pictures; a model that is known not to see is told that there are some.
    pub(crate) fn bring_pictures(&self, request: &mut Request, facts: &ModelFacts) {
        for turn in &mut request.messages {
            let Turn::User { text, pictures } = turn else { continue };
            if pictures.is_empty() {
                continue;
            }
            if facts.pictures == Some(false) {
                pictures.clear();
                text.push_str("\n(You can't see them: this model takes no pictures. Say so if they matter.)");
                continue;
            }
            let mut lost = false;
            pictures.retain_mut(|picture| match self.parts.store.picture(&picture.id) {
                Ok(Some((_, data))) => {
                    picture.data = Arc::from(data);
                    true
                }
                other => {
                    tracing::warn!(?other, "a picture can't be read");
                    lost = true;
                    false
                }
            });
            if lost {
                text.push_str("\n(A picture could not be read.)");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, RgbImage, Rgba, RgbaImage};

    fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut data = Vec::new();
        picture.write_to(&mut Cursor::new(&mut data), format).unwrap();
        data
    }

    fn rgb(width: u32, height: u32) -> DynamicImage {
        DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, y| Rgb([x as u8, y as u8, 7])))
    }

    #[test]
    fn pictures_come_out_upright_small_and_bare() {
        let clear = DynamicImage::ImageRgba8(RgbaImage::from_pixel(30, 20, Rgba([1, 2, 3, 4])));
        for (name, bytes, media_type, size) in [
            ("jpeg", file(&rgb(300, 200), ImageFormat::Jpeg), "image/jpeg", (300, 200)),
            ("png", file(&rgb(30, 20), ImageFormat::Png), "image/png", (30, 20)),
            ("clear", file(&clear, ImageFormat::Png), "image/png", (30, 20)),
            ("gif", file(&clear, ImageFormat::Gif), "image/png", (30, 20)),
            ("webp", file(&rgb(30, 20), ImageFormat::WebP), "image/jpeg", (30, 20)),
            ("large", file(&rgb(3_136, 1_000), ImageFormat::Jpeg), "image/jpeg", (1_568, 500)),
            ("turned", turned(&file(&rgb(40, 20), ImageFormat::Jpeg)), "image/jpeg", (20, 40)),
        ] {
            let (made, picture, data) = read(&STANDARD.encode(&bytes)).unwrap();
            assert_eq!((made, (picture.width(), picture.height())), (media_type, size), "{name}");
            let again = image::load_from_memory(&data).unwrap();
            assert_eq!((again.width(), again.height()), size, "{name}");
            assert!(!data.windows(4).any(|window| window == b"Exif"), "{name}");
        }
    }

    /// The file of a camera that was held sideways: with an Exif part that says so.
    fn turned(jpeg: &[u8]) -> Vec<u8> {
        let tiff: &[u8] = &[b'M', b'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
        let exif = [b"Exif\0\0".as_slice(), tiff].concat();
        let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
        [&jpeg[..2], &[0xFF, 0xE1], &length, &exif, &jpeg[2..]].concat()
    }

    #[test]
    fn what_is_no_picture_is_refused_in_words() {
        let png = file(&rgb(30, 20), ImageFormat::Png);
        for (what, data) in [
            ("did not arrive", "***".to_owned()),
            ("not a JPEG", STANDARD.encode(b"%PDF-1.7")),
            ("not a JPEG", STANDARD.encode(b"<svg/>")),
            ("not a JPEG", STANDARD.encode(&png[..40])),
            ("not a JPEG", String::new()),
            ("larger than 20 MB", "A".repeat(29 << 20)),
        ] {
            let error = read(&data).unwrap_err();
            assert!(error.contains(what), "{what}: {error}");
        }
        // A file of a hundred bytes that says it is 16000 x 16000 pixels of 8 bytes: 2 GB in memory.
        const HUGE: &str = "iVBORw0KGgoAAAANSUhEUgAAPoAAAD6AEAYAAAAR7gOdAAAACElEQVR4nAMAAAAAAUgGidI=";
        assert!(read(HUGE).unwrap_err().contains("too large"));
        let url = format!("data:image/png;base64,{}", STANDARD.encode(&png));
        assert_eq!(read(&url).unwrap().0, "image/png");
    }
}
