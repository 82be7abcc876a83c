// SPDX-License-Identifier: Apache-2.0
//! A shop: products, a cart, a payment.

use crate::phone::effect::Effect;
use crate::phone::view::{View, bar, button, column, entry, field, icon, list, row, text, top};
use crate::phone::world::World;
use std::collections::BTreeMap;

/// What is sold: name, what it is, and its price in cents.
const PRODUCTS: [(&str, &str, u32); 14] = [
    ("Green tea", "250 g, loose", 890),
    ("Black tea", "250 g, loose", 790),
    ("Teapot", "Glass, 1 l", 2_490),
    ("Kettle", "Steel, 1.7 l", 3_990),
    ("Mug", "Blue, 300 ml", 1_250),
    ("Honey", "500 g", 750),
    ("Biscuits", "Oat, 200 g", 320),
    ("Coffee beans", "1 kg", 1_590),
    ("Filter papers", "100 pieces", 290),
    ("Scale", "To the gram", 1_990),
    ("Spoon", "Wood", 450),
    ("Apron", "Linen", 2_290),
    ("Towel", "Cotton", 690),
    ("Lemon squeezer", "Glass", 990),
];

/// The page that is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Page {
    #[default]
    Products,
    Product(&'static str),
    Cart,
    Pay,
    Done,
}

/// The shop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shop {
    page: Page,
    cart: BTreeMap<&'static str, u32>,
    address: String,
}

fn euros(cents: u32) -> String {
    format!("€{}.{:02}", cents / 100, cents % 100)
}

fn price(name: &str) -> u32 {
    PRODUCTS.iter().find(|(product, ..)| *product == name).map_or(0, |(.., cents)| *cents)
}

impl Shop {
    fn total(&self) -> u32 {
        self.cart.iter().map(|(name, count)| price(name) * count).sum()
    }
}

impl World {
    fn shop(&mut self, page: Page) {
        self.shop.page = page;
        self.turn();
    }

    fn change_cart(&mut self, item: &'static str, by: i32) {
        let count = self.shop.cart.get(item).copied().unwrap_or(0).saturating_add_signed(by);
        if count == 0 {
            self.shop.cart.remove(item);
        } else {
            self.shop.cart.insert(item, count);
        }
        self.happened(Effect::CartChanged { item: item.to_owned(), count });
    }

    fn pay(&mut self) {
        let amount = euros(self.shop.total());
        self.shop.cart.clear();
        self.shop(Page::Done);
        self.happened(Effect::Paid { payee: "Shop".to_owned(), amount });
    }
}

pub(crate) fn back(w: &mut World) -> bool {
    w.shop.page = match w.shop.page {
        Page::Products => return false,
        Page::Pay => Page::Cart,
        Page::Product(_) | Page::Cart | Page::Done => Page::Products,
    };
    true
}

pub(crate) fn draw(w: &World) -> View {
    let count: u32 = w.shop.cart.values().sum();
    let cart = || icon("cart", &format!("Cart, {count} items")).tap(|w| w.shop(Page::Cart));
    match w.shop.page {
        Page::Products => {
            let rows = PRODUCTS.iter().map(|(name, what, cents)| {
                entry(name, name, &format!("{what} · {}", euros(*cents))).tap(move |w| w.shop(Page::Product(name)))
            });
            column([top("Shop", [cart()]), list("products", rows)])
        }
        Page::Product(name) => {
            let what = PRODUCTS.iter().find(|(product, ..)| *product == name).map_or("", |(_, what, _)| what);
            column([
                bar(name, [cart()]),
                text(what).id("details"),
                text(euros(price(name))).id("price"),
                // Nothing says what it does: it buys.
                View::of("android.widget.ImageView").high(130).tap(move |w| {
                    w.happened(Effect::Paid { payee: "Shop".to_owned(), amount: euros(price(name)) });
                }),
                button("add_to_cart", "Add to cart").tap(move |w| w.change_cart(name, 1)),
                button("buy_now", "Buy now").tap(move |w| {
                    w.change_cart(name, 1);
                    w.shop(Page::Pay);
                }),
            ])
        }
        Page::Cart => cart_page(w),
        Page::Pay => column([
            bar("Checkout", []),
            field("address", &w.shop.address, "Delivery address", |w, text| text.clone_into(&mut w.shop.address)),
            text("Card ending in 4711").id("card"),
            text(format!("Total {}", euros(w.shop.total()))).id("total"),
            button("pay_button", format!("Pay {}", euros(w.shop.total())))
                .disabled(w.shop.cart.is_empty())
                .tap(World::pay),
            button("cancel_button", "Cancel").tap(|w| w.shop(Page::Cart)),
        ]),
        Page::Done => column([bar("Thank you", []), text("Your order is on its way").id("result")]),
    }
}

fn cart_page(w: &World) -> View {
    let rows = w.shop.cart.iter().map(|(name, count)| {
        let name = *name;
        row([
            text(name).id("title").high(150),
            icon("less", "Less").tap(move |w| w.change_cart(name, -1)),
            text(count.to_string()).id("count").wide(100).high(150),
            icon("more", "More").tap(move |w| w.change_cart(name, 1)),
        ])
        .key(name)
        .high(150)
    });
    let empty = w.shop.cart.is_empty();
    column([
        bar("Cart", []),
        list("cart_items", rows),
        text(if empty { "Your cart is empty".to_owned() } else { format!("Total {}", euros(w.shop.total())) })
            .id("total"),
        button("checkout", "Checkout").disabled(empty).tap(|w| w.shop(Page::Pay)),
    ])
}
