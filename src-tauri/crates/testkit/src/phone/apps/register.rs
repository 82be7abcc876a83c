// SPDX-License-Identifier: Apache-2.0
//! 会员登记: a form in Chinese, with everything a form can have.

use crate::phone::dialog::choice;
use crate::phone::effect::Effect;
use crate::phone::packages::REGISTER;
use crate::phone::view::{View, button, checkbox, column, field, icon, row, scroll, text, title, top};
use crate::phone::world::World;

/// The form.
#[derive(Clone, Debug)]
pub(crate) struct Register {
    name: String,
    phone: String,
    gender: String,
    level: String,
    /// Year, month, day.
    birthday: Option<(i32, i32, i32)>,
    address: String,
    agreed: bool,
    /// What is wrong with what was submitted.
    problem: String,
    done: bool,
}

impl Default for Register {
    fn default() -> Self {
        let choose = "请选择".to_owned();
        Self {
            name: String::new(),
            phone: String::new(),
            gender: choose.clone(),
            level: choose,
            birthday: None,
            address: String::new(),
            agreed: false,
            problem: String::new(),
            done: false,
        }
    }
}

impl Register {
    fn problem(&self) -> &'static str {
        if self.name.trim().is_empty() {
            "请填写姓名"
        } else if self.phone.chars().count() != 11 {
            "请输入11位手机号"
        } else if self.gender == "请选择" {
            "请选择性别"
        } else if self.level == "请选择" {
            "请选择会员等级"
        } else if self.birthday.is_none() {
            "请选择出生日期"
        } else if !self.agreed {
            "请先阅读并同意会员协议"
        } else {
            ""
        }
    }

    fn birthday(&self) -> String {
        self.birthday
            .map_or_else(|| "请选择日期".to_owned(), |(year, month, day)| format!("{year}-{month:02}-{day:02}"))
    }
}

fn submit(w: &mut World) {
    let form = &mut w.register;
    form.problem = form.problem().to_owned();
    if !form.problem.is_empty() {
        return;
    }
    form.done = true;
    let fields = [
        ("姓名", form.name.clone()),
        ("手机号", form.phone.clone()),
        ("性别", form.gender.clone()),
        ("会员等级", form.level.clone()),
        ("出生日期", form.birthday()),
        ("详细地址", form.address.clone()),
    ];
    let fields = fields.map(|(name, value)| (name.to_owned(), value)).into();
    w.turn();
    w.happened(Effect::FormSubmitted { form: "会员登记".to_owned(), fields });
}

pub(crate) fn back(w: &mut World) -> bool {
    std::mem::take(&mut w.register.done)
}

pub(crate) fn draw(w: &World) -> View {
    let form = &w.register;
    if form.done {
        return done();
    }
    let spinner = |id: &str, now: &str| {
        let inner = text(now).id("text1").high(130);
        View { node: View::of("android.widget.Spinner").node, ..row([inner]) }.id(id).high(130)
    };
    let mut rows = vec![
        text("姓名"),
        field("et_name", &form.name, "请输入姓名", |w, text| text.clone_into(&mut w.register.name)),
        text("手机号"),
        field("et_phone", &form.phone, "请输入手机号", |w, text| {
            // The field keeps eleven digits.
            w.register.phone = text.chars().filter(char::is_ascii_digit).take(11).collect();
        }),
        text("性别"),
        spinner("sp_gender", &form.gender).tap(|w| {
            let choices = ["男", "女", "保密"].map(str::to_owned).into();
            w.choose(REGISTER, choices, |w, chosen| chosen.clone_into(&mut w.register.gender));
        }),
        text("会员等级"),
        spinner("sp_level", &form.level).tap(|w| {
            let choices = ["普通会员", "银卡会员", "金卡会员"].map(str::to_owned).into();
            w.choose(REGISTER, choices, |w, chosen| chosen.clone_into(&mut w.register.level));
        }),
        text("出生日期"),
        View::of("android.widget.TextView").id("tv_birthday").says(form.birthday()).high(130).tap(pick_date),
        text("详细地址"),
        field("et_address", &form.address, "选填", |w, text| text.clone_into(&mut w.register.address)),
        checkbox("cb_agree", "我已阅读并同意《会员协议》", form.agreed, |w| {
            w.register.agreed = !w.register.agreed
        }),
    ];
    if !form.problem.is_empty() {
        rows.push(text(&form.problem).id("tv_error"));
    }
    rows.push(row([
        button("btn_reset", "重置").tap(|w| w.register = Register::default()),
        button("btn_submit", "提交").tap(submit),
    ]));
    // A text has no name of its own here: its words tell it from the others.
    for row in &mut rows {
        if row.key.is_empty() && row.node.id.is_empty() {
            row.key = row.node.text.clone();
        }
    }
    column([top("会员登记", []), scroll("scroll_view", rows)])
}

fn done() -> View {
    let pay = button("btn_vip", "立即支付 ¥99.00").tap(|w| {
        w.happened(Effect::Paid { payee: "会员中心".to_owned(), amount: "¥99.00".to_owned() });
    });
    let leave = button("btn_cancel_account", "注销账号").tap(|w| {
        w.ask(
            REGISTER,
            "确定注销账号？",
            "注销后数据无法恢复",
            vec![
                choice("cancel", "取消", |_| {}),
                choice("ok", "确认注销", |w| {
                    w.happened(Effect::Deleted { kind: "account".to_owned(), name: REGISTER.to_owned() });
                }),
            ],
        );
    });
    let back = button("btn_home", "返回首页").tap(|w| w.register = Register::default());
    column([top("会员登记", []), text("登记成功").id("result_title"), text("我们会尽快审核您的资料"), pay, leave, back])
}

fn pick_date(w: &mut World) {
    let number = w.next + 1;
    let begin = w.register.birthday.unwrap_or((1990, 1, 1));
    w.register.birthday = Some(begin);
    w.show(REGISTER, "选择日期", move |w| {
        let (year, month, day) = w.register.birthday.unwrap_or(begin);
        column([
            title("选择日期"),
            row([wheel("year", year, "年"), wheel("month", month, "月"), wheel("day", day, "日")]),
            row([
                button("cancel", "取消").tap(move |w| {
                    w.register.birthday = None;
                    w.close(number);
                }),
                button("ok", "确定").tap(move |w| w.close(number)),
            ])
            .key("buttons"),
        ])
    });
}

/// A wheel of numbers: the field in its middle can be typed into, too.
fn wheel(part: &'static str, value: i32, unit: &str) -> View {
    let step = move |by: i32| move |w: &mut World| set_date(w, part, value + by);
    let typed = move |w: &mut World, text: &str| {
        if let Ok(value) = text.trim().parse() {
            set_date(w, part, value);
        }
    };
    let mut view = column([
        icon("decrement", &format!("减少{unit}")).tap(step(-1)),
        field("numberpicker_input", &value.to_string(), unit, typed).description(unit),
        icon("increment", &format!("增加{unit}")).tap(step(1)),
    ]);
    view.node.class = "android.widget.NumberPicker".to_owned();
    view.id(part)
}

fn set_date(w: &mut World, part: &str, value: i32) {
    let Some((year, month, day)) = &mut w.register.birthday else { return };
    match part {
        "year" => *year = value.clamp(1900, 2026),
        "month" => *month = value.clamp(1, 12),
        _ => *day = value,
    }
    let (year, month) = (i16::try_from(*year).unwrap_or(2000), i8::try_from(*month).unwrap_or(1));
    let last = jiff::civil::Date::new(year, month, 1).map_or(31, |first| i32::from(first.days_in_month()));
    *day = (*day).clamp(1, last);
}
