// SPDX-License-Identifier: Apache-2.0
//! Real dumps of screens as [`Screen`]s: uiautomator's XML in its two forms, DroidBot's and DroidRun's JSON.
#![allow(
    dead_code,
    clippy::print_stderr,
    reason = "each test file uses its own part, and says when it is not the whole"
)]

use bailey_ports::device::{Bounds, Node, Screen, Window};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Where the corpus is: `$BAILEY_SCREENS`, else beside the repository. `None` says loudly that only the samples run.
pub(crate) fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/screens");
    let path = std::env::var_os("BAILEY_SCREENS").map_or(beside, PathBuf::from);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!(
        "BAILEY_SCREENS names no folder and there is none beside the repository: ONLY THE REPO'S OWN SAMPLES RAN"
    );
    None
}

/// The dumps of the corpus and of the repository, by name.
pub(crate) fn screens() -> Vec<(String, Screen)> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut all: Vec<(String, Screen)> = Vec::new();
    for folder in corpus().into_iter().chain([samples]) {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let screen = match path.extension().and_then(|e| e.to_str()) {
                Some("xml") => from_xml(&text),
                Some("json") => from_json(&text),
                _ => continue,
            };
            all.push((path.file_stem().unwrap().to_string_lossy().into_owned(), screen));
        }
    }
    assert!(!all.is_empty());
    all
}

/// One window for each package that follows another at the top, in front what comes last.
fn screen(nodes: Vec<(Node, String)>, width: i32, height: i32) -> Screen {
    let mut windows: Vec<Window> = Vec::new();
    let mut offset = 0;
    let mut all: Vec<Node> = Vec::new();
    let mut starts: Vec<(usize, String)> = Vec::new();
    for (index, (mut node, app)) in nodes.into_iter().enumerate() {
        node.handle = (index + 1).to_string();
        if node.parent.is_none() {
            starts.push((index, app));
        }
        all.push(node);
    }
    let ends: Vec<usize> = starts.iter().skip(1).map(|(at, _)| *at).chain([all.len()]).collect();
    for ((start, app), end) in starts.into_iter().zip(ends) {
        let mut nodes: Vec<Node> = all[start..end].to_vec();
        for node in &mut nodes {
            node.parent = node.parent.map(|parent| parent - offset as u32);
        }
        offset = end;
        let bounds = Bounds(0, 0, width, height);
        windows.push(Window { id: windows.len() as i32, app, bounds, nodes, ..Window::default() });
    }
    // Dumps of several packages lie beside each other: no window covers another.
    for window in &mut windows {
        window.bounds = window.nodes.first().map_or(window.bounds, |root| root.bounds);
    }
    Screen { width, height, windows, ..Screen::default() }
}

fn from_xml(text: &str) -> Screen {
    let document = roxmltree::Document::parse(text.trim_start_matches('\u{feff}')).unwrap();
    let mut nodes: Vec<(Node, String)> = Vec::new();
    let mut stack: Vec<(roxmltree::Node<'_, '_>, Option<u32>)> =
        document.root_element().children().filter(|n| n.is_element()).map(|n| (n, None)).collect();
    stack.reverse();
    while let Some((element, parent)) = stack.pop() {
        let get = |key: &str| element.attribute(key).unwrap_or_default();
        let is = |key: &str| get(key) == "true";
        let index = nodes.len() as u32;
        let class = if get("class").is_empty() { element.tag_name().name() } else { get("class") };
        let id = get("resource-id");
        let node = Node {
            parent,
            class: class.to_owned(),
            id: id.rsplit('/').next().unwrap_or(id).to_owned(),
            text: if is("password") { String::new() } else { get("text").to_owned() },
            description: get("content-desc").to_owned(),
            hint: get("hint").to_owned(),
            bounds: bounds(get("bounds")),
            hidden: get("visible-to-user") == "false" || get("displayed") == "false",
            disabled: get("enabled") == "false",
            clickable: is("clickable"),
            long_clickable: is("long-clickable"),
            scrollable: is("scrollable"),
            editable: class.ends_with("EditText") || is("editable"),
            password: is("password"),
            checkable: is("checkable"),
            checked: is("checked"),
            selected: is("selected"),
            focused: is("focused"),
            ..Node::default()
        };
        nodes.push((node, get("package").to_owned()));
        let mut children: Vec<_> = element.children().filter(|n| n.is_element()).map(|n| (n, Some(index))).collect();
        children.reverse();
        stack.extend(children);
    }
    let (width, height) = nodes.iter().fold((0, 0), |(w, h), (node, _)| (w.max(node.bounds.2), h.max(node.bounds.3)));
    screen(nodes, width, height)
}

/// `[0,0][1080,2460]`.
fn bounds(text: &str) -> Bounds {
    let numbers: Vec<i32> =
        text.split(|c: char| !c.is_ascii_digit() && c != '-').filter_map(|piece| piece.parse().ok()).collect();
    match numbers[..] {
        [l, t, r, b] => Bounds(l, t, r, b),
        _ => Bounds::default(),
    }
}

fn from_json(text: &str) -> Screen {
    let value: Value = serde_json::from_str(text).unwrap();
    if let Some(views) = value["views"].as_array() {
        let nodes: Vec<(Node, String)> = views.iter().map(droidbot).collect();
        let side = |key: &str| value[key].as_i64().unwrap_or(0) as i32;
        return screen(nodes, side("width"), side("height"));
    }
    let mut nodes = Vec::new();
    let app = value["phone_state"]["packageName"].as_str().unwrap_or_default();
    for root in value["a11y_tree"].as_array().unwrap() {
        droidrun(root, None, app, &mut nodes);
    }
    let (width, height) = nodes.iter().fold((0, 0), |(w, h), (node, _)| (w.max(node.bounds.2), h.max(node.bounds.3)));
    screen(nodes, width, height)
}

fn droidbot(view: &Value) -> (Node, String) {
    let text = |key: &str| view[key].as_str().unwrap_or_default().to_owned();
    let is = |key: &str| view[key].as_bool().unwrap_or(false);
    let at = |corner: usize, axis: usize| view["bounds"][corner][axis].as_i64().unwrap_or(0) as i32;
    let node = Node {
        parent: view["parent"].as_i64().and_then(|parent| u32::try_from(parent).ok()),
        class: text("class"),
        id: text("resource_id").rsplit('/').next().unwrap_or_default().to_owned(),
        text: text("text"),
        description: text("content_description"),
        bounds: Bounds(at(0, 0), at(0, 1), at(1, 0), at(1, 1)),
        hidden: !is("visible"),
        disabled: !is("enabled"),
        clickable: is("clickable"),
        long_clickable: is("long_clickable"),
        scrollable: is("scrollable"),
        editable: is("editable"),
        password: is("is_password"),
        checkable: is("checkable"),
        checked: is("checked"),
        selected: is("selected"),
        focused: is("focused"),
        ..Node::default()
    };
    (node, text("package"))
}

/// It says what a node is called where it has no text, and not what can be done to it: what has a resource name of its
/// own, or the class of a button, is taken for clickable.
fn droidrun(view: &Value, parent: Option<u32>, app: &str, nodes: &mut Vec<(Node, String)>) {
    let text = |key: &str| view[key].as_str().unwrap_or_default();
    let id = text("resourceId").rsplit('/').next().unwrap_or_default();
    let class = text("className");
    let said = text("text");
    let index = nodes.len() as u32;
    let node = Node {
        parent,
        class: class.to_owned(),
        id: id.to_owned(),
        text: if said == class || said == id { String::new() } else { said.to_owned() },
        bounds: bounds(text("bounds")),
        clickable: class.ends_with("Button") || id.ends_with("_btn"),
        scrollable: class.contains("ScrollView") || class.contains("RecyclerView") || class.contains("ViewPager"),
        ..Node::default()
    };
    nodes.push((node, app.to_owned()));
    for child in view["children"].as_array().into_iter().flatten() {
        droidrun(child, Some(index), app, nodes);
    }
}

/// Whether it can be acted on.
pub(crate) fn is_actionable(node: &Node) -> bool {
    node.clickable || node.long_clickable || node.editable || node.checkable || node.scrollable
}
