// SPDX-License-Identifier: Apache-2.0
//! One example of every request and its reply, for both sides of the contract.

use super::*;
use serde_json::{Value, json};

/// The contract with whoever carries requests out: for every request an example of it and of its reply, every fault's
/// name, and an example of every event. Written to `android-plugins/contract.json`.
pub fn contract() -> Value {
    json!({
        "faults": Fault::ALL.map(Fault::name),
        "requests": requests_with_examples(),
        "events": events(),
    })
}

fn example<R: Request>(request: R, reply: R::Reply) -> Value {
    json!({ "channel": R::CHANNEL, "command": R::COMMAND, "request": request, "reply": reply })
}

fn requests_with_examples() -> Vec<Value> {
    [accessibility(), projection(), shizuku(), device(), lifecycle()].concat()
}

fn fine() -> ChannelState {
    ChannelState { granted: true, bound: true, answering: true, fault: None, detail: String::new() }
}

fn accessibility() -> Vec<Value> {
    let button = Node {
        parent: Some(0),
        handle: "n2".into(),
        class: "android.widget.Button".into(),
        id: "send_button".into(),
        description: "Send".into(),
        bounds: Bounds(900, 2200, 1060, 2340),
        clickable: true,
        ..Node::default()
    };
    let root = Node {
        handle: "n1".into(),
        class: "android.widget.FrameLayout".into(),
        bounds: Bounds(0, 0, 1080, 2400),
        ..Node::default()
    };
    let fingerprint = Fingerprint {
        app: "org.example.chat".into(),
        class: "android.widget.Button".into(),
        id: "send_button".into(),
        description: "Send".into(),
        ..Fingerprint::default()
    };
    vec![
        example(
            AccessibilityState {},
            ChannelState {
                granted: true,
                bound: false,
                answering: false,
                fault: Some(Fault::NotBound),
                detail: String::new(),
            },
        ),
        example(
            ReadScreen {},
            Screen {
                width: 1080,
                height: 2400,
                windows: vec![Window {
                    id: 7,
                    app: "org.example.chat".into(),
                    title: "Chat".into(),
                    focused: true,
                    bounds: Bounds(0, 0, 1080, 2400),
                    nodes: vec![root, button],
                    ..Window::default()
                }],
                ..Screen::default()
            },
        ),
        example(
            Perform { handle: "n2".into(), expect: fingerprint, action: NodeAction::Tap, text: None },
            Performed { text: None, bounds: Bounds(900, 2200, 1060, 2340) },
        ),
        example(Gesture { from: Point(540, 1800), to: Point(540, 600), duration_ms: 300 }, Acted {}),
        example(PressKey { key: GlobalKey::Back }, Acted {}),
        example(WaitIdle { quiet_ms: 300, timeout_ms: 3_000 }, Idle { idle: true, waited_ms: 420 }),
        example(Screenshot { max_edge: 1_280 }, picture()),
        example(StartDriving { text: "Bailey is using Chat".into(), stop: "Stop".into() }, Done {}),
        example(EndDriving {}, Done {}),
    ]
}

/// One grey pixel.
fn picture() -> Picture {
    Picture {
        width: 1,
        height: 1,
        format: PictureFormat::Png,
        data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==".into(),
    }
}

fn projection() -> Vec<Value> {
    vec![
        example(ProjectionState {}, fine()),
        example(StartProjection {}, Projection { width: 1080, height: 2400 }),
        example(ReadFrame { max_edge: 1_280 }, Frame { picture: picture(), age_ms: 40 }),
        example(StartRecording { limit_s: 60 }, Done {}),
        example(EndRecording {}, Recording { path: "recordings/1.mp4".into(), duration_ms: 12_000, bytes: 3_400_000 }),
        example(RevokeProjection {}, Done {}),
    ]
}

fn shizuku() -> Vec<Value> {
    vec![
        example(ShizukuState {}, ChannelState { detail: "13.5".into(), ..fine() }),
        example(AskShizuku {}, fine()),
        example(
            Execute { command: "getprop ro.build.version.sdk".into(), timeout_ms: 10_000, max_bytes: 65_536 },
            Executed { code: Some(0), stdout: "34\n".into(), ..Executed::default() },
        ),
        example(
            ManageApp { package: "org.example.game".into(), action: ManageAppAction::Stop },
            Managed { said: String::new() },
        ),
    ]
}

fn device() -> Vec<Value> {
    let opened = || Opened { app: "org.example.maps".into(), by_notification: false };
    let permissions = || PermissionStates { permissions: [("contacts".to_owned(), true)].into() };
    vec![
        example(AskPermissionStates {}, permissions()),
        example(RequestPermission { permission: "contacts".into() }, permissions()),
        example(
            Info {},
            DeviceInfo {
                maker: "Example".into(),
                model: "One".into(),
                system: "Android 14".into(),
                battery_percent: Some(80),
                power: PowerSource::Plugged,
                storage_total: 128_000_000_000,
                storage_free: 40_000_000_000,
                memory_total: 8_000_000_000,
                memory_free: 3_000_000_000,
            },
        ),
        example(Network {}, NetworkState { transport: Transport::Wifi, validated: true, metered: false, vpn: false }),
        example(
            InstalledApps {},
            Apps {
                apps: vec![InstalledApp {
                    package: "org.example.chat".into(),
                    name: "Chat".into(),
                    version: "2.1".into(),
                    system: false,
                }],
            },
        ),
        example(
            AppUsage { from: 1_790_000_000_000, until: 1_790_086_400_000 },
            Usage {
                apps: vec![UsageRow {
                    package: "org.example.chat".into(),
                    name: "Chat".into(),
                    foreground_ms: 3_600_000,
                    last_used: 1_790_086_000_000,
                }],
            },
        ),
        example(OpenApp { package: "org.example.chat".into() }, opened()),
        example(OpenSettings { screen: SettingsScreen::Wifi, package: None }, opened()),
        example(OpenUri { uri: "https://example.org/".into() }, opened()),
        example(OpenMap { uri: "geo:48.1374,11.5755?q=48.1374,11.5755(Marienplatz)".into(), package: None }, opened()),
        example(Dial { number: "+49 89 1234".into() }, opened()),
        example(ShareText { text: "Hello".into(), title: String::new() }, opened()),
        example(
            ComposeMail {
                to: vec!["ada@example.org".into()],
                cc: Vec::new(),
                subject: "Tuesday".into(),
                body: "At ten?".into(),
            },
            opened(),
        ),
        example(
            FindContacts { query: "ada".into(), limit: 20 },
            Contacts {
                contacts: vec![ContactMatch {
                    name: "Ada".into(),
                    phones: vec!["+49 89 1234".into()],
                    emails: vec!["ada@example.org".into()],
                }],
                more: false,
            },
        ),
        example(
            CreateEvent {
                title: "Dentist".into(),
                begin: 1_790_000_000_000,
                end: 1_790_003_600_000,
                all_day: false,
                zone: Some("Europe/Berlin".into()),
                place: "Main Street 1".into(),
                notes: String::new(),
                remind_minutes: Some(30),
            },
            EventCreated { calendar: "Personal".into(), id: "42".into() },
        ),
        example(ReadClipboard {}, Clipboard { text: Some("copied".into()) }),
        example(SetClipboard { text: "copied".into() }, Done {}),
        example(
            Location {},
            LastFix {
                latitude: 48.1374,
                longitude: 11.5755,
                accuracy_m: Some(12.5),
                age_ms: 60_000,
                provider: "gps".into(),
                mock: false,
            },
        ),
        example(
            ReadNotifications { limit: 20 },
            Notifications {
                notifications: vec![Notification {
                    key: "0|org.example.chat|1|null|10001".into(),
                    package: "org.example.chat".into(),
                    app: "Chat".into(),
                    posted: 1_790_000_000_000,
                    title: "Ada".into(),
                    text: "See you at ten".into(),
                    ongoing: false,
                    actions: vec![NotificationAction { title: "Reply".into(), takes_text: true }],
                }],
            },
        ),
        example(
            SetVolume { stream: VolumeStream::Media, percent: 40 },
            Volume { stream: VolumeStream::Media, percent: 40 },
        ),
        example(SetBrightness { percent: Some(50) }, Brightness { percent: 50, automatic: false }),
        example(SetTorch { on: true }, Done {}),
        example(Vibrate { duration_ms: 200 }, Done {}),
        example(MediaControl { key: MediaKey::PlayPause }, Done {}),
    ]
}

fn lifecycle() -> Vec<Value> {
    vec![
        example(
            ShowRun {
                title: "Looking for trains to Hamburg".into(),
                public_title: "Bailey is working".into(),
                stop: "Stop".into(),
                capturing: false,
            },
            Done {},
        ),
        example(EndRun {}, Done {}),
        example(
            PostAsk {
                ask: "r1-q1".into(),
                title: "Send a mail?".into(),
                text: "To ada@example.org".into(),
                public_title: "Bailey has a question".into(),
                allow: Some("Allow once".into()),
                deny: Some("Deny".into()),
                left_ms: 300_000,
            },
            Done {},
        ),
        example(WithdrawAsk { ask: "r1-q1".into() }, Done {}),
        example(
            PostNotice {
                tag: "reminder-1".into(),
                title: "Dentist".into(),
                text: "In 30 minutes".into(),
                public_title: "A reminder".into(),
            },
            Done {},
        ),
        example(SetAlarm { id: "a1".into(), at: 1_790_000_000_000, exact: true }, AlarmSet { exact: true }),
        example(CancelAlarm { id: "a1".into() }, Done {}),
        example(SetSecure { on: true }, Done {}),
        example(
            TakeArrivals {},
            Arrivals {
                arrivals: vec![
                    Arrival::Link { uri: "bailey://conversation/c1".into() },
                    Arrival::Shared {
                        text: "Look at this".into(),
                        subject: String::new(),
                        app: "org.example.chat".into(),
                    },
                    Arrival::SharedFile {
                        path: "shared/1.pdf".into(),
                        name: "Invoice.pdf".into(),
                        mime: "application/pdf".into(),
                        bytes: 20_000,
                    },
                    Arrival::Alarm { id: "a1".into() },
                    Arrival::Booted,
                ],
            },
        ),
        example(ReadInsets {}, insets()),
    ]
}

fn insets() -> Insets {
    Insets { top: 24.0, right: 0.0, bottom: 48.0, left: 0.0, keyboard: 0.0 }
}

fn events() -> Vec<DeviceEvent> {
    vec![
        DeviceEvent::Touched,
        DeviceEvent::StopPressed,
        DeviceEvent::AskAnswered { ask: "r1-q1".into(), allow: true },
        DeviceEvent::Arrived,
        DeviceEvent::Insets { insets: insets() },
        DeviceEvent::ChannelChanged {
            channel: Channel::Shizuku,
            state: ChannelState { fault: Some(Fault::NotRunning), ..ChannelState::default() },
        },
        DeviceEvent::Back,
    ]
}
