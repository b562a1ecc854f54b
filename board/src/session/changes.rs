//! Changes from one state of a game to the next, so that it is not sent whole after every move.
//!
//! A change is `[path, value]`, or `[path, keep, rest]` for a list or a text of which the first `keep` entries remain (those
//! of a text are UTF-16 units, as JavaScript counts). A path is a list of keys.

use serde_json::{Value, json};

/// The changes that make `after` of `before`.
pub(super) fn changes(before: &Value, after: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    collect(&[], before, after, &mut found);
    found
}

fn collect(path: &[&str], before: &Value, after: &Value, found: &mut Vec<Value>) {
    match (before, after) {
        (before, after) if before == after => {}
        (Value::Object(old), Value::Object(new)) if old.keys().eq(new.keys()) => {
            for ((key, old), new) in old.iter().zip(new.values()) {
                collect(&[path, &[key]].concat(), old, new, found);
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            let same = old.iter().zip(new).take_while(|(old, new)| old == new);
            let keep = same.count();
            found.push(json!([path, keep, new.get(keep..)]));
        }
        (Value::String(old), Value::String(new)) => {
            let same = old.chars().zip(new.chars());
            let kept = same.map_while(|(one, other)| (one == other).then_some(one));
            let (units, bytes) = kept.fold((0, 0), |(units, bytes), letter| {
                (units + letter.len_utf16(), bytes + letter.len_utf8())
            });
            found.push(json!([path, units, new.get(bytes..)]));
        }
        _ => found.push(json!([path, after])),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::changes;
    use serde_json::{Value, json};

    /// The state with the changes applied, as the page applies them.
    pub(crate) fn changed(mut state: Value, changes: &[Value]) -> Value {
        for change in changes {
            let path = change[0].as_array().expect("a path");
            let part = path.iter().fold(&mut state, |part, key| {
                &mut part[key.as_str().expect("a key")]
            });
            *part = match (&part, &change[2]) {
                (_, Value::Null) => change[1].clone(),
                (Value::Array(old), Value::Array(rest)) => {
                    let keep = old.iter().take(kept(change));
                    keep.chain(rest).cloned().collect()
                }
                (Value::String(old), Value::String(rest)) => {
                    let keep: Vec<u16> = old.encode_utf16().take(kept(change)).collect();
                    json!(String::from_utf16(&keep).expect("whole letters") + rest)
                }
                other => panic!("{other:?}"),
            };
        }
        state
    }

    fn kept(change: &Value) -> usize {
        usize::try_from(change[1].as_u64().expect("a number")).expect("a small one")
    }

    #[test]
    fn only_what_changes_is_told() {
        let before = json!({"fen": "a", "moves": ["e4", "e5"], "saved": {"id": 1, "paused": false}, "clock": null});
        let after = json!({"fen": "a", "moves": ["e4", "e5", "Nf3"], "saved": {"id": 1, "paused": true}, "clock": 3});
        let expected = [
            json!([["clock"], 3]),
            json!([["moves"], 2, ["Nf3"]]),
            json!([["saved", "paused"], true]),
        ];
        assert_eq!(changes(&before, &after), expected);
        assert_eq!(changes(&after, &after), [] as [Value; 0]);
    }

    #[test]
    fn the_page_gets_the_same_state() {
        let states = [
            json!({"pgn": "1. e4 {♞𝄞a} *", "list": [1, 2, 3], "part": {"a": 1}}),
            json!({"pgn": "1. e4 {♞𝄞b} e5 *", "list": [1], "part": {"b": [1]}}),
            json!({"pgn": "", "list": [], "part": null}),
            json!({"pgn": null, "list": {"a": []}, "more": ""}),
            json!({"pgn": {"list": []}, "list": [{"a": ""}], "more": [[]]}),
        ];
        for before in &states {
            for after in &states {
                let found = changed(before.clone(), &changes(before, after));
                assert_eq!(&found, after, "from {before}");
            }
        }
    }
}
