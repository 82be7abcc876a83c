// SPDX-License-Identifier: Apache-2.0
use super::{Definition, Made, failure, needs, told};
use crate::arguments::{integer, schema, text};
use bailey_policy::{ArgumentRole, ToolFacts, ToolKind};
use bailey_ports::device::{
    DeviceExt, MediaControl, MediaKey, SetBrightness, SetTorch, SetVolume, Vibrate, VolumeStream,
};
use serde_json::{Value, json};

const NEUTRAL: ArgumentRole = ArgumentRole::Neutral;

fn percent(call: &super::Call) -> Option<u8> {
    integer(&call.arguments, "percent").map(|percent| percent.min(100) as u8)
}

pub(super) fn set_volume() -> Made {
    Made {
        needs: needs::<SetVolume>(),
        definition: Definition {
            name: "set_volume",
            description: "Sets a volume of the device in percent. Use it when the person wants it louder, softer or \
                silent. Do not use it to stop what plays (media_control).",
            schema: schema(
                json!({
                    "percent": { "type": "integer", "minimum": 0, "maximum": 100, "description": "How loud it is; 0 is silent." },
                    "stream": {
                        "type": "string", "enum": ["media", "ring", "alarm", "notification", "call"],
                        "default": "media", "description": "What gets louder or softer.",
                    },
                }),
                &["percent"],
            ),
            example: json!({ "percent": 30, "stream": "media" }),
            facts: ToolFacts::LOW,
            roles: &[("percent", NEUTRAL), ("stream", NEUTRAL)],
        },
        kind: ToolKind::Run,
        run: |call| {
            Box::pin(async move {
                let stream: VolumeStream =
                    serde_json::from_value(Value::from(text(&call.arguments, "stream"))).unwrap_or_default();
                let percent = percent(&call).unwrap_or(0);
                let set = call.device.ask(SetVolume { stream, percent }).await.map_err(failure)?;
                let name = serde_json::to_value(set.stream).unwrap_or_default();
                told(format!("The volume of {} is {} %.", name.as_str().unwrap_or("it"), set.percent))
            })
        },
    }
}

pub(super) fn set_brightness() -> Made {
    Made {
        needs: needs::<SetBrightness>(),
        definition: Definition {
            name: "set_brightness",
            description: "Sets the brightness of the display in percent, or lets the device choose it when percent is \
                left out. Use it when the person wants the display brighter or darker. Do not use it for the dark theme.",
            schema: schema(
                json!({
                    "percent": {
                        "type": "integer", "minimum": 0, "maximum": 100,
                        "description": "The brightness; leave it out for automatic.",
                    },
                }),
                &[],
            ),
            example: json!({ "percent": 60 }),
            facts: ToolFacts::LOW,
            roles: &[("percent", NEUTRAL)],
        },
        kind: ToolKind::Run,
        run: |call| {
            Box::pin(async move {
                let set = call.device.ask(SetBrightness { percent: percent(&call) }).await.map_err(failure)?;
                told(match set.automatic {
                    true => "The device chooses the brightness by itself.".to_owned(),
                    false => format!("The brightness is {} %.", set.percent),
                })
            })
        },
    }
}

pub(super) fn set_flashlight() -> Made {
    Made {
        needs: needs::<SetTorch>(),
        definition: Definition {
            name: "set_flashlight",
            description: "Switches the torch on or off. Use it when the person wants light. Do not use it for the \
                display (set_brightness).",
            schema: schema(json!({ "on": { "type": "boolean", "description": "Whether it shines." } }), &["on"]),
            example: json!({ "on": true }),
            facts: ToolFacts::LOW,
            roles: &[("on", NEUTRAL)],
        },
        kind: ToolKind::Run,
        run: |call| {
            Box::pin(async move {
                let on = call.arguments["on"].as_bool().unwrap_or(false);
                call.device.ask(SetTorch { on }).await.map_err(failure)?;
                told(if on { "The torch is on." } else { "The torch is off." })
            })
        },
    }
}

pub(super) fn vibrate() -> Made {
    Made {
        needs: needs::<Vibrate>(),
        definition: Definition {
            name: "vibrate",
            description: "Lets the device vibrate for a moment. Use it when the person asks for it, as to find the \
                device. Do not use it to get their attention without being asked.",
            schema: schema(
                json!({
                    "duration_ms": {
                        "type": "integer", "minimum": 1, "maximum": 5000, "default": 500,
                        "description": "For how many milliseconds.",
                    },
                }),
                &[],
            ),
            example: json!({ "duration_ms": 800 }),
            facts: ToolFacts::LOW,
            roles: &[("duration_ms", NEUTRAL)],
        },
        kind: ToolKind::Run,
        run: |call| {
            Box::pin(async move {
                let duration_ms = integer(&call.arguments, "duration_ms").unwrap_or(500).clamp(1, 5_000) as u32;
                call.device.ask(Vibrate { duration_ms }).await.map_err(failure)?;
                told("It vibrated.")
            })
        },
    }
}

pub(super) fn media_control() -> Made {
    Made {
        needs: needs::<MediaControl>(),
        definition: Definition {
            name: "media_control",
            description: "Presses a key of whatever plays music or a video: play, pause, next and the like. Use it to \
                control what is playing. It does not choose what plays; do not use it for the volume (set_volume).",
            schema: schema(
                json!({
                    "key": {
                        "type": "string", "enum": ["play_pause", "play", "pause", "next", "previous", "stop"],
                        "description": "Which key is pressed.",
                    },
                }),
                &["key"],
            ),
            example: json!({ "key": "pause" }),
            facts: ToolFacts::LOW,
            roles: &[("key", NEUTRAL)],
        },
        kind: ToolKind::Run,
        run: |call| {
            Box::pin(async move {
                let name = text(&call.arguments, "key").to_owned();
                let key: MediaKey = serde_json::from_value(Value::from(name.as_str())).unwrap_or(MediaKey::PlayPause);
                call.device.ask(MediaControl { key }).await.map_err(failure)?;
                told(format!("The key {name} was pressed. Whether something reacted is not known."))
            })
        },
    }
}
