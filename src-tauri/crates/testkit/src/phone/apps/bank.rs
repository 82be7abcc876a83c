// SPDX-License-Identifier: Apache-2.0
//! A bank: its window forbids pictures of itself, and only the person has the password.

use crate::phone::effect::Effect;
use crate::phone::packages::BANK;
use crate::phone::view::{View, button, column, field, password, text, top};
use crate::phone::world::World;

/// The bank.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bank {
    user: String,
    /// Whether the person has typed the password.
    pub(crate) password: bool,
    inside: bool,
    payee: String,
    amount: String,
}

impl World {
    fn sign_in(&mut self) {
        if self.bank.password && !self.bank.user.is_empty() {
            self.bank.inside = true;
            self.bank.password = false;
            self.turn();
            self.happened(Effect::SignedIn { app: BANK.to_owned() });
        }
    }

    fn transfer(&mut self) {
        let bank = &mut self.bank;
        if bank.payee.is_empty() || bank.amount.is_empty() {
            return;
        }
        let (payee, amount) = (std::mem::take(&mut bank.payee), std::mem::take(&mut bank.amount));
        self.happened(Effect::Paid { payee, amount });
    }
}

pub(crate) fn draw(w: &World) -> View {
    let bank = &w.bank;
    if !bank.inside {
        return column([
            top("Bank", []),
            field("username", &bank.user, "User name", |w, text| text.clone_into(&mut w.bank.user)),
            password("password_field", "Password", |w, text| w.bank.password = !text.is_empty()),
            button("login_button", "Log in").tap(World::sign_in),
        ]);
    }
    column([
        top("Bank", []),
        text("Balance €1,234.56").id("balance"),
        field("payee", &bank.payee, "Payee", |w, text| text.clone_into(&mut w.bank.payee)),
        field("amount", &bank.amount, "Amount", |w, text| text.clone_into(&mut w.bank.amount)),
        button("transfer_button", "Transfer").tap(World::transfer),
        button("logout_button", "Log out").tap(|w| w.bank = Bank::default()),
    ])
}
