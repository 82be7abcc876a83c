// SPDX-License-Identifier: Apache-2.0
use super::{Answer, error};
use crate::phone::apps::mail::Draft;
use crate::phone::apps::settings::{Page, stream_name};
use crate::phone::effect::Effect;
use crate::phone::inner::Inner;
use crate::phone::packages as p;
use crate::phone::world::{Consent, World};
use bailey_ports::device::{
    AppUsage, Apps, Brightness, Channel, Clipboard, ComposeMail, Contacts, CreateEvent, DeviceError, DeviceInfo, Dial,
    Done, EventCreated, Fault, FindContacts, Info, InstalledApp, InstalledApps, LastFix, Location, MediaControl,
    MediaKey, Network, NetworkState, Notifications, OpenApp, OpenMap, OpenSettings, OpenUri, Opened, PermissionStates,
    PowerSource, ReadClipboard, ReadNotifications, Request, RequestPermission, SetBrightness, SetClipboard, SetTorch,
    SetVolume, SettingsScreen, ShareText, Usage, Vibrate, Volume,
};

const CHANNEL: Channel = Channel::Device;
type Answered<T> = Result<T, DeviceError>;

fn invalid<R: Request>(wrong: bool, detail: &str) -> Answered<()> {
    if wrong { Err(error::<R>(Fault::Invalid, detail)) } else { Ok(()) }
}

pub(super) fn permissions(world: &World) -> PermissionStates {
    let states = p::PERMISSIONS.iter().map(|name| ((*name).to_owned(), world.granted.contains(*name)));
    PermissionStates { permissions: states.collect() }
}

/// An ordinary permission is asked for in a dialog; one of the others opens its page, and the person goes on there.
pub(super) fn request_permission(inner: &mut Inner, request: RequestPermission) -> Answered<Answer<PermissionStates>> {
    let world = &mut inner.world;
    let name = request.permission.as_str();
    invalid::<RequestPermission>(!p::PERMISSIONS.contains(&name), "no such permission")?;
    let page = match name {
        "notification_access" => Some(SettingsScreen::NotificationAccess),
        "usage" => Some(SettingsScreen::UsageAccess),
        "write_settings" => Some(SettingsScreen::WriteSettings),
        "accessibility" => Some(SettingsScreen::Accessibility),
        _ => None,
    };
    if world.granted.contains(name) {
        return Ok(permissions(world).into());
    }
    if let Some(page) = page {
        world.open(p::SETTINGS)?;
        world.settings.pages = vec![Page::Screen(page)];
        return Ok(permissions(world).into());
    }
    match world.consent {
        Consent::Waits => Ok(Answer::Waits(world.ask_permission(p::BAILEY, name), |world, _| Ok(permissions(world)))),
        consent => {
            world.as_person(|w| w.decide_permission(p::BAILEY, name, consent == Consent::Grants));
            Ok(permissions(world).into())
        }
    }
}

pub(super) fn info(inner: &mut Inner, _: Info) -> Answered<DeviceInfo> {
    inner.world.reach(CHANNEL)?;
    Ok(DeviceInfo {
        maker: "Example".to_owned(),
        model: "One".to_owned(),
        system: "Android 14".to_owned(),
        battery_percent: Some(80),
        power: PowerSource::Battery,
        storage_total: 128_000_000_000,
        storage_free: 40_000_000_000,
        memory_total: 8_000_000_000,
        memory_free: 3_000_000_000,
    })
}

pub(super) fn installed(inner: &mut Inner, _: InstalledApps) -> Answered<Apps> {
    inner.world.reach(CHANNEL)?;
    let apps = inner.world.apps.iter().filter(|app| app.enabled).map(|app| InstalledApp {
        package: app.package.clone(),
        name: app.name.clone(),
        version: app.version.clone(),
        system: app.system,
    });
    Ok(Apps { apps: apps.collect() })
}

pub(super) fn usage(inner: &mut Inner, request: AppUsage) -> Answered<Usage> {
    invalid::<AppUsage>(request.from >= request.until, "ends before it begins")?;
    inner.world.permitted(CHANNEL, "usage")?;
    let used = |last: u64| request.from <= last && last < request.until;
    let mut apps: Vec<_> = inner.world.usage.iter().filter(|row| used(row.last_used)).cloned().collect();
    apps.sort_by_key(|row| std::cmp::Reverse(row.foreground_ms));
    Ok(Usage { apps })
}

/// Opens an app for a request, or a notification that would.
fn open(world: &mut World, package: &str, then: impl FnOnce(&mut World)) -> Answered<Opened> {
    world.reach(CHANNEL)?;
    let by_notification = world.by_notification && world.front != p::BAILEY;
    if !by_notification {
        world.open(package)?;
        then(world);
    }
    Ok(Opened { app: package.to_owned(), by_notification })
}

fn drafted(world: &mut World, kind: &str, text: &str) {
    world.happened(Effect::Drafted { kind: kind.to_owned(), text: text.to_owned() });
}

pub(super) fn open_app(inner: &mut Inner, request: OpenApp) -> Answered<Opened> {
    open(&mut inner.world, &request.package, |_| {})
}

pub(super) fn open_settings(inner: &mut Inner, request: OpenSettings) -> Answered<Opened> {
    let about = matches!(request.screen, SettingsScreen::App | SettingsScreen::AppNotifications);
    let page = match (about, request.package) {
        (true, None) => return Err(error::<OpenSettings>(Fault::Invalid, "which app?")),
        (true, Some(package)) if inner.world.app(&package).is_none() => {
            return Err(error::<OpenSettings>(Fault::NotFound, ""));
        }
        (true, Some(package)) => vec![Page::App(package)],
        (false, _) if request.screen == SettingsScreen::Main => Vec::new(),
        (false, _) => vec![Page::Screen(request.screen)],
    };
    open(&mut inner.world, p::SETTINGS, |w| w.settings.pages = page)
}

pub(super) fn open_uri(inner: &mut Inner, request: OpenUri) -> Answered<Opened> {
    let web = ["https://", "http://"].iter().any(|scheme| request.uri.to_ascii_lowercase().starts_with(scheme));
    invalid::<OpenUri>(!web || request.uri.contains(char::is_whitespace), "not a web address")?;
    open(&mut inner.world, p::BROWSER, |w| w.visit(&request.uri))
}

pub(super) fn open_map(inner: &mut Inner, request: OpenMap) -> Answered<Opened> {
    invalid::<OpenMap>(!request.uri.contains(':'), "not an address")?;
    let package = request.package.unwrap_or_else(|| p::MAPS.to_owned());
    open(&mut inner.world, &package, |w| {
        drafted(w, "map", &request.uri);
        w.map = request.uri;
    })
}

pub(super) fn dial(inner: &mut Inner, request: Dial) -> Answered<Opened> {
    let dials = |c: char| c.is_ascii_digit() || "+*#-()./, ".contains(c);
    let number = request.number;
    invalid::<Dial>(!number.contains(|c: char| c.is_ascii_digit()) || !number.chars().all(dials), "not a number")?;
    open(&mut inner.world, p::DIALLER, |w| {
        drafted(w, "dial", &number);
        w.dialled = number;
    })
}

pub(super) fn share(inner: &mut Inner, request: ShareText) -> Answered<Opened> {
    open(&mut inner.world, p::RESOLVER, |w| {
        drafted(w, "share", &request.text);
        w.shared = request.text;
    })?;
    // The system does not say what the person will choose.
    Ok(Opened { app: String::new(), by_notification: inner.world.front != p::RESOLVER })
}

pub(super) fn compose(inner: &mut Inner, request: ComposeMail) -> Answered<Opened> {
    open(&mut inner.world, p::MAIL, |w| {
        let to = request.to.iter().chain(&request.cc).cloned().collect::<Vec<_>>().join(", ");
        drafted(w, "mail", &to);
        w.mail.draft = Some(Draft { to, subject: request.subject, body: request.body });
    })
}

pub(super) fn contacts(inner: &mut Inner, request: FindContacts) -> Answered<Contacts> {
    inner.world.permitted(CHANNEL, "contacts")?;
    Ok(inner.world.contacts.find(&request.query, request.limit))
}

pub(super) fn create_event(inner: &mut Inner, request: CreateEvent) -> Answered<EventCreated> {
    invalid::<CreateEvent>(request.title.trim().is_empty() || request.end <= request.begin, "no title, or no time")?;
    let zone = request.zone.as_deref().is_none_or(|zone| jiff::tz::TimeZone::get(zone).is_ok());
    invalid::<CreateEvent>(!zone, "no such time zone")?;
    inner.world.permitted(CHANNEL, "calendar")?;
    let id = inner.world.add_event(&request.title, &request.place, request.begin);
    Ok(EventCreated { calendar: "Personal".to_owned(), id: id.to_string() })
}

pub(super) fn network(inner: &mut Inner, _: Network) -> Answered<NetworkState> {
    inner.world.reach(CHANNEL)?;
    Ok(inner.world.network())
}

pub(super) fn clipboard(inner: &mut Inner, _: ReadClipboard) -> Answered<Clipboard> {
    inner.world.reach(CHANNEL)?;
    Ok(Clipboard { text: inner.world.clipboard.clone() })
}

pub(super) fn set_clipboard(inner: &mut Inner, request: SetClipboard) -> Answered<Done> {
    inner.world.reach(CHANNEL)?;
    inner.world.copy(&request.text);
    Ok(Done {})
}

pub(super) fn location(inner: &mut Inner, _: Location) -> Answered<LastFix> {
    inner.world.permitted(CHANNEL, "location")?;
    let fix = inner.world.fix.clone().filter(|_| inner.world.settings.location);
    fix.ok_or_else(|| error::<Location>(Fault::NotFound, "no last place"))
}

pub(super) fn notifications(inner: &mut Inner, request: ReadNotifications) -> Answered<Notifications> {
    inner.world.permitted(CHANNEL, "notification_access")?;
    let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
    let shown = inner.world.notifications.iter().filter(|n| n.package != p::BAILEY);
    Ok(Notifications { notifications: shown.take(limit).cloned().collect() })
}

pub(super) fn volume(inner: &mut Inner, request: SetVolume) -> Answered<Volume> {
    invalid::<SetVolume>(request.percent > 100, "0 to 100")?;
    inner.world.reach(CHANNEL)?;
    let percent = inner.world.set_volume(stream_name(request.stream), request.percent);
    Ok(Volume { stream: request.stream, percent })
}

pub(super) fn brightness(inner: &mut Inner, request: SetBrightness) -> Answered<Brightness> {
    invalid::<SetBrightness>(request.percent.is_some_and(|percent| percent > 100), "0 to 100")?;
    inner.world.permitted(CHANNEL, "write_settings")?;
    match request.percent {
        Some(percent) => inner.world.set_brightness(percent),
        None => inner.world.set_automatic(true),
    }
    let settings = &inner.world.settings;
    Ok(Brightness { percent: settings.brightness, automatic: settings.automatic })
}

pub(super) fn torch(inner: &mut Inner, request: SetTorch) -> Answered<Done> {
    inner.world.reach(CHANNEL)?;
    inner.world.set_torch(request.on);
    Ok(Done {})
}

pub(super) fn vibrate(inner: &mut Inner, request: Vibrate) -> Answered<Done> {
    invalid::<Vibrate>(!(1..=5_000).contains(&request.duration_ms), "1 to 5000 ms")?;
    inner.world.reach(CHANNEL)?;
    inner.world.happened(Effect::Vibrated { duration_ms: request.duration_ms });
    Ok(Done {})
}

pub(super) fn media(inner: &mut Inner, request: MediaControl) -> Answered<Done> {
    inner.world.reach(CHANNEL)?;
    let key = match request.key {
        MediaKey::PlayPause => "play_pause",
        MediaKey::Play => "play",
        MediaKey::Pause => "pause",
        MediaKey::Next => "next",
        MediaKey::Previous => "previous",
        MediaKey::Stop => "stop",
    };
    inner.world.music.press(request.key);
    inner.world.happened(Effect::MediaPressed { key: key.to_owned() });
    Ok(Done {})
}
