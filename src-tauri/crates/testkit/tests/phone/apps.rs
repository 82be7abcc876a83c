// SPDX-License-Identifier: Apache-2.0
//! What the apps do when they are used.

use super::*;
use bailey_ports::device::*;
use bailey_testkit::phone::*;

#[tokio::test]
async fn a_message_is_typed_and_sent() {
    let phone = opened(packages::MESSENGER).await;
    let finger = Finger(&phone);
    finger.tap("Mum").await.unwrap();
    assert!(finger.find("send_button").await.unwrap().node.disabled);
    assert_eq!(finger.enter("message_field", "On my way").await.unwrap(), "On my way");
    assert_eq!(phone.change(|w| w.draft_to("Mum")), "On my way");
    assert_eq!(done(&phone), []);
    finger.tap("send_button").await.unwrap();
    assert_eq!(done(&phone), [Effect::MessageSent { to: "Mum".into(), text: "On my way".into() }]);
    let said = phone.change(|w| w.messages_with("Mum"));
    assert_eq!(said.last(), Some(&(true, "On my way".to_owned())));
    assert!(shows(&phone.screen(), "On my way"));
    assert!(!shows(&phone.screen(), "Draft: On my way"));
}

#[tokio::test]
async fn a_draft_stays_and_the_key_of_the_keyboard_sends_it() {
    let phone = opened(packages::MESSENGER).await;
    let finger = Finger(&phone);
    finger.tap("王伟").await.unwrap();
    finger.enter("message_field", "好的").await.unwrap();
    key(&phone, GlobalKey::Back).await;
    assert!(shows(&phone.screen(), "Draft: 好的"));
    finger.tap("王伟").await.unwrap();
    finger.act("message_field", NodeAction::Submit, None).await.unwrap();
    assert_eq!(done(&phone), [Effect::MessageSent { to: "王伟".into(), text: "好的".into() }]);
}

#[tokio::test]
async fn what_is_said_while_somebody_looks_comes_in_and_what_is_said_otherwise_is_notified() {
    let phone = opened(packages::MESSENGER).await;
    Finger(&phone).tap("Mum").await.unwrap();
    phone.change(|w| w.set_typing(Some("Mum")));
    assert!(shows(&phone.screen(), "Mum is typing…"));
    phone.change(|w| {
        w.receive_message("Mum", "Are you there?");
        w.receive_message("Ada Lovelace", "Tuesday at ten?");
    });
    assert!(shows(&phone.screen(), "Are you there?"));
    let told = phone.ask(ReadNotifications { limit: 9 }).await.unwrap().notifications;
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].title.as_str(), told[0].text.as_str()), ("Ada Lovelace", "Tuesday at ten?"));
    assert_eq!(told[0].app, "Messenger");
    assert!(told[0].actions[0].takes_text);
}

#[tokio::test]
async fn a_notification_is_answered_in_the_shade() {
    let phone = Phone::default();
    phone.change(|w| w.receive_message("Ada Lovelace", "Tuesday at ten?"));
    let finger = Finger(&phone);
    key(&phone, GlobalKey::Notifications).await;
    finger.tap("Reply").await.unwrap();
    finger.enter("remote_input_text", "Yes").await.unwrap();
    finger.tap("remote_input_send").await.unwrap();
    assert_eq!(done(&phone), [Effect::MessageSent { to: "Ada Lovelace".into(), text: "Yes".into() }]);
    assert!(!shows(&phone.screen(), "Tuesday at ten?"));
}

#[tokio::test]
async fn settings_change_by_switches_and_sliders() {
    let phone = settings(SettingsScreen::Display).await;
    let finger = Finger(&phone);
    finger.tap("Dark theme").await.unwrap();
    finger.act("Brightness", NodeAction::ScrollForward, None).await.unwrap();
    assert_eq!(finger.find("Brightness").await.unwrap().node.state, "70%");
    phone.ask(OpenSettings { screen: SettingsScreen::Wifi, package: None }).await.unwrap();
    finger.tap("Use Wi-Fi").await.unwrap();
    let set = |name: &str, value: &str| Effect::SettingChanged { name: name.into(), value: value.into() };
    assert_eq!(done(&phone), [set("dark_theme", "on"), set("brightness", "70"), set("wifi", "off")]);
}

#[tokio::test]
async fn an_app_is_stopped_and_removed_only_after_the_system_has_asked() {
    let phone = opened(packages::SHOP).await;
    let shop = Some(packages::SHOP.to_owned());
    phone.ask(OpenSettings { screen: SettingsScreen::App, package: shop }).await.unwrap();
    let finger = Finger(&phone);
    finger.tap("Force stop").await.unwrap();
    assert_eq!(done(&phone), []);
    finger.tap("OK").await.unwrap();
    finger.tap("Uninstall").await.unwrap();
    let question = finger.find("Do you want to uninstall this app?").await.unwrap();
    assert_eq!(question.app, packages::INSTALLER);
    finger.tap("Cancel").await.unwrap();
    finger.tap("Uninstall").await.unwrap();
    finger.tap("OK").await.unwrap();
    let package = || packages::SHOP.to_owned();
    assert_eq!(done(&phone), [Effect::Stopped { package: package() }, Effect::Uninstalled { package: package() }]);
    assert_eq!(fault(phone.ask(OpenApp { package: package() }).await), Fault::NotFound);
}

#[tokio::test]
async fn the_chinese_form_says_what_is_missing_and_is_submitted_once_whole() {
    let phone = opened(packages::REGISTER).await;
    let finger = Finger(&phone);
    finger.tap("提交").await.unwrap();
    assert!(shows(&phone.screen(), "请填写姓名"));
    finger.enter("et_name", "李雷").await.unwrap();
    // The field keeps digits alone, and reading back shows it.
    assert_eq!(finger.enter("et_phone", "138-0013-8000").await.unwrap(), "13800138000");
    finger.tap("sp_gender").await.unwrap();
    finger.tap("男").await.unwrap();
    finger.tap("sp_level").await.unwrap();
    finger.tap("金卡会员").await.unwrap();
    finger.tap("tv_birthday").await.unwrap();
    finger.enter("年", "1995").await.unwrap();
    finger.enter("月", "2").await.unwrap();
    // A month has the days that it has.
    assert_eq!(finger.enter("日", "31").await.unwrap(), "28");
    finger.tap("确定").await.unwrap();
    finger.tap("提交").await.unwrap();
    assert!(shows(&phone.screen(), "请先阅读并同意会员协议"));
    assert_eq!(done(&phone), []);
    finger.tap("我已阅读并同意《会员协议》").await.unwrap();
    finger.tap("提交").await.unwrap();
    assert!(shows(&phone.screen(), "登记成功"));
    let fields = [
        ("姓名", "李雷"),
        ("手机号", "13800138000"),
        ("性别", "男"),
        ("会员等级", "金卡会员"),
        ("出生日期", "1995-02-28"),
        ("详细地址", ""),
    ];
    let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    assert_eq!(done(&phone), [Effect::FormSubmitted { form: "会员登记".into(), fields }]);
}

#[tokio::test]
async fn a_thing_is_bought_with_all_steps_on_the_way() {
    let phone = opened(packages::SHOP).await;
    let finger = Finger(&phone);
    finger.tap("Teapot").await.unwrap();
    finger.tap("Add to cart").await.unwrap();
    finger.tap("Cart, 1 items").await.unwrap();
    finger.tap("More").await.unwrap();
    finger.tap("Checkout").await.unwrap();
    assert!(shows(&phone.screen(), "Total €49.80"));
    finger.tap("Pay €49.80").await.unwrap();
    let cart = |count| Effect::CartChanged { item: "Teapot".into(), count };
    let paid = Effect::Paid { payee: "Shop".into(), amount: "€49.80".into() };
    assert_eq!(done(&phone), [cart(1), cart(2), paid]);
}

#[tokio::test]
async fn the_browser_scrolls_fills_forms_and_knows_when_it_is_offline() {
    let phone = Phone::default();
    let finger = Finger(&phone);
    phone.ask(OpenUri { uri: "https://news.example.org/long".into() }).await.unwrap();
    let last = finger.find("The road ends in Passau.").await.unwrap();
    assert!(last.node.hidden);
    phone.ask(last.request(NodeAction::ScrollTo, None)).await.unwrap();
    assert!(!finger.find("The road ends in Passau.").await.unwrap().node.hidden);
    assert_eq!(fault(finger.act("webview", NodeAction::ScrollForward, None).await), Fault::Refused);
    phone.ask(OpenUri { uri: "https://club.example.org/join".into() }).await.unwrap();
    finger.enter("name", "Ada").await.unwrap();
    finger.enter("email", "ada@example.org").await.unwrap();
    finger.tap("Send me the newsletter").await.unwrap();
    finger.tap("Join").await.unwrap();
    let fields = [("name", "Ada"), ("email", "ada@example.org"), ("newsletter", "on")];
    let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let sent = Effect::FormSubmitted { form: "https://club.example.org/join".into(), fields };
    assert_eq!(done(&phone).last(), Some(&sent));
    for screen in [SettingsScreen::Wifi, SettingsScreen::Mobile] {
        phone.ask(OpenSettings { screen, package: None }).await.unwrap();
        finger.tap(if screen == SettingsScreen::Wifi { "Use Wi-Fi" } else { "Mobile data" }).await.unwrap();
    }
    phone.ask(OpenApp { package: packages::BROWSER.into() }).await.unwrap();
    assert!(shows(&phone.screen(), "You are offline"));
}

#[tokio::test]
async fn the_store_installs_and_calls_are_only_drafted() {
    let phone = opened(packages::STORE).await;
    let finger = Finger(&phone);
    finger.enter("search_box", "timetables").await.unwrap();
    finger.tap("Trains").await.unwrap();
    finger.tap("Install").await.unwrap();
    phone.ask(OpenApp { package: "org.example.trains".into() }).await.unwrap();
    phone.ask(Dial { number: "+49 89 1234".into() }).await.unwrap();
    let drafted = Effect::Drafted { kind: "dial".into(), text: "+49 89 1234".into() };
    assert_eq!(done(&phone), [Effect::Installed { package: "org.example.trains".into() }, drafted]);
    finger.tap("dial").await.unwrap();
    assert_eq!(done(&phone).last(), Some(&Effect::Called { number: "+49 89 1234".into() }));
}

#[tokio::test]
async fn contacts_and_events_are_written_and_deleted() {
    let phone = opened(packages::CONTACTS).await;
    let finger = Finger(&phone);
    finger.tap("Create contact").await.unwrap();
    finger.enter("name", "Zoe").await.unwrap();
    finger.enter("phone", "tel: 030 99").await.unwrap();
    finger.tap("Save").await.unwrap();
    let found = phone.ask(FindContacts { query: "zoe".into(), limit: 5 }).await.unwrap();
    assert_eq!(found.contacts[0].phones, [" 030 99"]);
    finger.tap("Delete").await.unwrap();
    finger.tap("button1").await.unwrap();
    phone.ask(OpenApp { package: packages::CALENDAR.into() }).await.unwrap();
    finger.tap("Create new event").await.unwrap();
    finger.enter("title_edit", "Swim").await.unwrap();
    finger.enter("date_edit", "2026-09-30").await.unwrap();
    finger.enter("time_edit", "14:30").await.unwrap();
    finger.tap("Save").await.unwrap();
    assert!(shows(&phone.screen(), "2026-09-30 14:30"));
    let deleted = Effect::Deleted { kind: "contact".into(), name: "Zoe".into() };
    let saved = Effect::EventSaved { title: "Swim".into(), begin: 1_790_778_600_000 };
    assert_eq!(done(&phone)[1..], [deleted, saved]);
}

#[tokio::test]
async fn a_shared_text_finds_its_chat() {
    let phone = Phone::default();
    let finger = Finger(&phone);
    phone.ask(ShareText { text: "Look".into(), title: String::new() }).await.unwrap();
    finger.tap("Messenger").await.unwrap();
    finger.tap("Mum").await.unwrap();
    assert_eq!(phone.change(|w| w.draft_to("Mum")), "Look");
    assert_eq!(done(&phone), [Effect::Drafted { kind: "share".into(), text: "Look".into() }]);
}

#[tokio::test]
async fn links_lead_to_other_apps() {
    let phone = Phone::default();
    let link = |says: &str, url: &str| Part::Link(says.into(), url.into());
    let parts = vec![link("Call us", "tel:+4930123"), link("Get the app", "market://details?id=org.example.weathr")];
    phone.change(|w| w.put_page("https://x.example/", Page { title: String::new(), parts }));
    let finger = Finger(&phone);
    phone.ask(OpenUri { uri: "https://x.example/".into() }).await.unwrap();
    finger.tap("Call us").await.unwrap();
    assert_eq!(finger.find("digits").await.unwrap().node.text, "+4930123");
    phone.ask(OpenApp { package: packages::BROWSER.into() }).await.unwrap();
    finger.tap("Get the app").await.unwrap();
    assert_eq!(finger.find("Install").await.unwrap().app, packages::STORE);
    let opened = phone.effects().into_iter().filter(|e| matches!(e, Effect::Opened { .. })).count();
    assert_eq!(opened, 4);
}
