// SPDX-License-Identifier: Apache-2.0
use super::{Definition, Made, failure, needs, told};
use crate::arguments::schema;
use crate::web::size;
use bailey_policy::{ToolFacts, ToolKind};
use bailey_ports::device::{DeviceExt, Info, Network, PowerSource, Transport};
use serde_json::json;
use std::fmt::Write as _;

pub(super) fn device_info() -> Made {
    Made {
        needs: needs::<Info>(),
        definition: Definition {
            name: "device_info",
            description: "Tells what this device is: maker, model, system, battery, storage and memory. Use it for \
                questions about the device itself. Do not use it for the connection (network_status).",
            schema: schema(json!({}), &[]),
            example: json!({}),
            facts: ToolFacts { read_only: true, ..ToolFacts::LOW },
            roles: &[],
        },
        kind: ToolKind::Run,
        run: |call| {
            Box::pin(async move {
                let info = call.device.ask(Info {}).await.map_err(failure)?;
                let mut text = format!("{} {}, {}", info.maker, info.model, info.system);
                if let Some(percent) = info.battery_percent {
                    let power = match info.power {
                        PowerSource::Battery => ", not plugged in",
                        PowerSource::Plugged => ", plugged in",
                        PowerSource::Unknown => "",
                    };
                    let _ = write!(text, "\nBattery: {percent} %{power}");
                }
                let _ = write!(text, "\nStorage: {} free of {}", size(info.storage_free), size(info.storage_total));
                let _ = write!(text, "\nMemory: {} free of {}", size(info.memory_free), size(info.memory_total));
                told(text)
            })
        },
    }
}

pub(super) fn network_status() -> Made {
    Made {
        needs: needs::<Network>(),
        definition: Definition {
            name: "network_status",
            description: "Tells how this device is connected: by what, whether the internet answers, whether it costs \
                by volume, whether a VPN is on. Use it when something on the network fails. Do not use it to test one \
                site (web_read).",
            schema: schema(json!({}), &[]),
            example: json!({}),
            facts: ToolFacts { read_only: true, ..ToolFacts::LOW },
            roles: &[],
        },
        kind: ToolKind::Run,
        run: |call| {
            Box::pin(async move {
                let network = call.device.ask(Network {}).await.map_err(failure)?;
                let by = match network.transport {
                    Transport::None => return told("Not connected."),
                    Transport::Wifi => "Wi-Fi",
                    Transport::Mobile => "the mobile network",
                    Transport::Ethernet => "a cable",
                    Transport::Other => "another kind of connection",
                };
                let mut text = format!("Connected by {by}");
                text.push_str(if network.validated {
                    "; the internet answers"
                } else {
                    "; the internet does not answer"
                });
                if network.metered {
                    text.push_str("; it costs by volume");
                }
                if network.vpn {
                    text.push_str("; a VPN is on");
                }
                text.push('.');
                told(text)
            })
        },
    }
}
