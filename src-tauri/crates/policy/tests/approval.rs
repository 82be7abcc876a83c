// SPDX-License-Identifier: Apache-2.0
//! What an approval must not be able to do, checked on stable Rust, where rustdoc ignores the error codes of
//! `compile_fail`: an inherent constant that exists only with the trait shadows the blanket one.

use bailey_policy::Approval;
use serde::{Serialize, de::DeserializeOwned};
use std::marker::PhantomData;

struct Has<T>(PhantomData<T>);

macro_rules! probes {
    ($($name:ident: $($bound:path),+;)*) => {
        trait Lacks { $(const $name: bool = false;)* }
        impl<T> Lacks for Has<T> {}
        $(impl<T: $($bound +)+> Has<T> { const $name: bool = true; })*
    };
}

probes! {
    CLONE: Clone;
    COPY: Copy;
    DEFAULT: Default;
    SERIALIZE: Serialize;
    DESERIALIZE: DeserializeOwned;
    FROM_TEXT: std::str::FromStr;
    FROM_JSON: From<serde_json::Value>;
}

macro_rules! traits {
    ($t:ty) => {
        [
            <Has<$t>>::CLONE,
            <Has<$t>>::COPY,
            <Has<$t>>::DEFAULT,
            <Has<$t>>::SERIALIZE,
            <Has<$t>>::DESERIALIZE,
            <Has<$t>>::FROM_TEXT,
            <Has<$t>>::FROM_JSON,
        ]
    };
}

#[test]
fn an_approval_can_be_neither_copied_nor_made_nor_stored() {
    assert_eq!(traits!(Approval), [false; 7]);
    // The probe does see a trait where there is one.
    assert_eq!(traits!(u64), [true, true, true, true, true, true, false]);
    assert_eq!(traits!(serde_json::Value), [true, false, true, true, true, true, true]);
}
