// SPDX-License-Identifier: Apache-2.0
//! What an app draws: a tree of views, each with what it does when it is touched.

use super::world::World;
use bailey_ports::device::{Bounds, Node};
use std::sync::Arc;

/// What touching something does.
pub(crate) type Act = Arc<dyn Fn(&mut World) + Send + Sync>;
/// What typing into something does.
pub(crate) type Edit = Arc<dyn Fn(&mut World, &str) + Send + Sync>;
/// What moving a slider by so many steps does.
pub(crate) type Slide = Arc<dyn Fn(&mut World, i32) + Send + Sync>;

/// How the children of a view lie in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Flow {
    /// One below the other.
    #[default]
    Column,
    /// Beside each other.
    Row,
    /// One below the other, scrolled; what is outside stays in the tree and is marked as not seen.
    Scroll,
    /// One below the other, scrolled; what is outside is not in the tree.
    List,
}

/// A view.
#[derive(Clone, Default)]
pub(crate) struct View {
    /// Tells it from its siblings for as long as it lives; its resource name or class when empty.
    pub(crate) key: String,
    /// What is told of it; the layout sets its bounds.
    pub(crate) node: Node,
    pub(crate) flow: Flow,
    pub(crate) height: Option<i32>,
    pub(crate) width: Option<i32>,
    /// It begins scrolled to its end.
    pub(crate) from_end: bool,
    /// Exactly here, outside the flow.
    pub(crate) at: Option<Bounds>,
    pub(crate) children: Vec<View>,
    pub(crate) tap: Option<Act>,
    pub(crate) long: Option<Act>,
    pub(crate) edit: Option<Edit>,
    pub(crate) submit: Option<Act>,
    pub(crate) slide: Option<Slide>,
}

impl View {
    pub(crate) fn of(class: &str) -> Self {
        View { node: Node { class: class.to_owned(), ..Node::default() }, ..View::default() }
    }
    pub(crate) fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }
    pub(crate) fn id(mut self, id: impl Into<String>) -> Self {
        self.node.id = id.into();
        self
    }
    pub(crate) fn says(mut self, text: impl Into<String>) -> Self {
        self.node.text = text.into();
        self
    }
    pub(crate) fn description(mut self, description: impl Into<String>) -> Self {
        self.node.description = description.into();
        self
    }
    pub(crate) fn high(mut self, height: i32) -> Self {
        self.height = Some(height);
        self
    }
    pub(crate) fn wide(mut self, width: i32) -> Self {
        self.width = Some(width);
        self
    }
    pub(crate) fn child(mut self, child: View) -> Self {
        self.children.push(child);
        self
    }
    pub(crate) fn children(mut self, children: impl IntoIterator<Item = View>) -> Self {
        self.children.extend(children);
        self
    }
    pub(crate) fn disabled(mut self, disabled: bool) -> Self {
        self.node.disabled = disabled;
        self
    }
    pub(crate) fn tap(mut self, act: impl Fn(&mut World) + Send + Sync + 'static) -> Self {
        self.node.clickable = true;
        self.tap = Some(Arc::new(act));
        self
    }
    pub(crate) fn long(mut self, act: impl Fn(&mut World) + Send + Sync + 'static) -> Self {
        self.node.long_clickable = true;
        self.long = Some(Arc::new(act));
        self
    }
    pub(crate) fn submit(mut self, act: impl Fn(&mut World) + Send + Sync + 'static) -> Self {
        self.submit = Some(Arc::new(act));
        self
    }
}

/// Views below each other.
pub(crate) fn column(children: impl IntoIterator<Item = View>) -> View {
    View::of("android.widget.LinearLayout").children(children)
}

/// Views beside each other.
pub(crate) fn row(children: impl IntoIterator<Item = View>) -> View {
    View { flow: Flow::Row, ..View::of("android.widget.LinearLayout").children(children) }
}

/// Views that scroll; those outside are not seen.
pub(crate) fn scroll(id: &str, children: impl IntoIterator<Item = View>) -> View {
    let mut view = View::of("android.widget.ScrollView").id(id).children(children);
    view.flow = Flow::Scroll;
    view.node.scrollable = true;
    view
}

/// A list of which only what is on the screen exists.
pub(crate) fn list(id: &str, children: impl IntoIterator<Item = View>) -> View {
    let mut view = View::of("androidx.recyclerview.widget.RecyclerView").id(id).children(children);
    view.flow = Flow::List;
    view.node.scrollable = true;
    view
}

/// A text.
pub(crate) fn text(says: impl Into<String>) -> View {
    View::of("android.widget.TextView").says(says).high(80)
}

/// A heading.
pub(crate) fn title(says: impl Into<String>) -> View {
    text(says).id("title").high(120)
}

/// A button with a text on it.
pub(crate) fn button(id: &str, says: impl Into<String>) -> View {
    View::of("android.widget.Button").id(id).says(says).high(130)
}

/// A button with a picture on it.
pub(crate) fn icon(id: &str, description: &str) -> View {
    View::of("android.widget.ImageButton").id(id).description(description).high(130).wide(130)
}

/// A field of text.
pub(crate) fn field(
    id: &str,
    value: &str,
    hint: &str,
    edit: impl Fn(&mut World, &str) + Send + Sync + 'static,
) -> View {
    let mut view = View::of("android.widget.EditText").id(id).says(value).high(140);
    view.node.editable = true;
    view.node.clickable = true;
    if value.is_empty() {
        view.node.hint = hint.to_owned();
    }
    view.edit = Some(Arc::new(edit));
    view
}

/// A field for a password: what is in it is told to nobody.
pub(crate) fn password(id: &str, hint: &str, edit: impl Fn(&mut World, &str) + Send + Sync + 'static) -> View {
    let mut view = field(id, "", hint, edit);
    view.node.password = true;
    view
}

/// A row with a title, a line below it, and maybe something to tap.
pub(crate) fn entry(key: &str, says: &str, below: &str) -> View {
    let mut view = column([text(says).id("title")]).key(key);
    if !below.is_empty() {
        view.children.push(text(below).id("summary").high(60));
    }
    view.high(170)
}

/// A row with a switch.
pub(crate) fn switch(key: &str, says: &str, on: bool, act: impl Fn(&mut World) + Send + Sync + 'static) -> View {
    let mut toggle = View::of("android.widget.Switch").id("switch_widget").wide(200).high(170);
    toggle.node.checkable = true;
    toggle.node.checked = on;
    toggle.node.state = if on { "on" } else { "off" }.to_owned();
    row([text(says).id("title").high(170), toggle]).key(key).high(170).tap(act)
}

/// A box to check, with its text.
pub(crate) fn checkbox(id: &str, says: &str, on: bool, act: impl Fn(&mut World) + Send + Sync + 'static) -> View {
    let mut view = View::of("android.widget.CheckBox").id(id).says(says).high(130).tap(act);
    view.node.checkable = true;
    view.node.checked = on;
    view
}

/// One choice of several.
pub(crate) fn radio(key: &str, says: &str, on: bool, act: impl Fn(&mut World) + Send + Sync + 'static) -> View {
    let mut view = View::of("android.widget.RadioButton").key(key).says(says).high(130).tap(act);
    view.node.checkable = true;
    view.node.checked = on;
    view
}

/// A slider of 0 to 100.
pub(crate) fn slider(
    key: &str,
    description: &str,
    percent: u8,
    slide: impl Fn(&mut World, i32) + Send + Sync + 'static,
) -> View {
    let mut view = View::of("android.widget.SeekBar").key(key).id("seekbar").description(description).high(130);
    view.node.state = format!("{percent}%");
    view.node.scrollable = true;
    view.slide = Some(Arc::new(slide));
    view
}

/// The upper bar of a page, with the way back.
pub(crate) fn bar(says: impl Into<String>, more: impl IntoIterator<Item = View>) -> View {
    let mut bar = row([
        icon("navigate_up", "Navigate up").tap(|w| {
            w.up();
        }),
        title(says).id("toolbar_title"),
    ]);
    bar.children.extend(more);
    bar.id("toolbar").high(130)
}

/// The upper bar of an app's first page.
pub(crate) fn top(says: impl Into<String>, more: impl IntoIterator<Item = View>) -> View {
    let mut bar = row([title(says).id("toolbar_title")]);
    bar.children.extend(more);
    bar.id("toolbar").high(130)
}
