// SPDX-License-Identifier: Apache-2.0
//! The contract with the device: the file that the Kotlin side reads, and the words that the model reads.

use bailey_ports::device::{Channel, DeviceError, Fault, contract, requests};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn the_file_of_the_contract_is_what_this_module_says() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../android-plugins/contract.json");
    let now = format!("{}\n", serde_json::to_string_pretty(&contract()).unwrap());
    if std::env::var_os("BAILEY_BLESS").is_some() {
        std::fs::write(&file, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == now,
        "{} is not up to date; make it with BAILEY_BLESS=1 cargo test -p bailey-ports",
        file.display()
    );
}

#[test]
fn every_request_has_an_example_and_a_name_of_its_own() {
    let contract = contract();
    let examples: Vec<(String, String)> = contract["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| (e["channel"].as_str().unwrap().to_owned(), e["command"].as_str().unwrap().to_owned()))
        .collect();
    let listed: Vec<(String, String)> =
        requests().into_iter().map(|(c, name)| (c.name().to_owned(), name.to_owned())).collect();
    assert_eq!(examples, listed);
    assert_eq!(listed.iter().map(|(_, name)| name).collect::<BTreeSet<_>>().len(), listed.len());
}

#[test]
fn every_fault_says_what_to_do_next_and_is_found_by_its_name() {
    for fault in Fault::ALL {
        assert_eq!(Fault::named(fault.name()), fault);
        assert_eq!(serde_json::to_value(fault).unwrap(), fault.name());
        for channel in Channel::ALL {
            let text = DeviceError::new(channel, fault, "contacts").to_string();
            assert!(text.ends_with("(contacts)"), "{text}");
        }
    }
    assert_eq!(Fault::named("a code nobody knows"), Fault::Failed);
    assert_eq!(
        DeviceError::new(Channel::Shizuku, Fault::NotRunning, "").to_string(),
        "Shizuku is not running; after a restart of the phone it has to be started again. \
         The person can mend it in Bailey under Settings, Permissions"
    );
}
