//! The types of the JSON between the programs and their pages, and of the rules for JavaScript:
//! `web/messages.d.ts` and `web/wasm/rules_types.d.ts`, from the Rust types that serde reads and
//! writes.
//!
//! A type has its name in Rust, after the name of its mode. What cannot be translated is an error.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::capitalized;
use serde_derive_internals::ast::{Container, Data, Field, Style};
use serde_derive_internals::attr::TagType;
use serde_derive_internals::{Ctxt, Derive};
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, DeriveInput, Expr, GenericArgument, Item, Lit, Meta, PathArguments, Token, Type,
};
use test_common::repository_path;

const HEAD: &str = "\
/** Such as `e4`; in Tri-Dimensional chess `b2W`. */
export type Square = string;
export type Color = \"white\" | \"black\";
";

/// Types that serde does not derive.
const KNOWN: [(&str, &str); 6] = [
    ("boolean", "bool"),
    ("number", "u8 u16 u32 u64 usize i32 i64 f64 NodeId"),
    (
        "string",
        "String str char NaiveDate Role Piece PlayedMove CastlingSide",
    ),
    ("Color", "Color ColorName"),
    ("Square", "Square"),
    ("Attacker[]", "Attackers"),
];

/// The types that serde derives, by their names in TypeScript, with the name of their mode.
#[derive(Default)]
struct Types(BTreeMap<String, (DeriveInput, String)>);

#[test]
fn the_types_of_the_pages_are_those_of_the_messages() {
    let mut messages = Types::default();
    for folder in ["board/src", "game/src", "tridim/src"] {
        messages.read(&repository_path(folder), "");
    }
    messages.check("web/messages.d.ts", &["Request", "Event"]);
    let mut rules = Types::default();
    rules.read(&repository_path("web/rules/src"), "");
    rules.read(&repository_path("movegen/src"), "");
    rules.check("web/wasm/rules_types.d.ts", &["Answer"]);
}

impl Types {
    /// Reads the source files of a folder.
    fn read(&mut self, folder: &Path, mode: &str) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_str().expect("UTF-8");
            let mode = if folder.ends_with("messages") {
                capitalized(name)
            } else {
                mode.to_owned()
            };
            if path.is_dir() {
                self.read(&path, &mode);
            } else if name != "tests" && path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                let mut file = syn::parse_file(&text).expect("valid Rust");
                Unconditional.visit_file_mut(&mut file);
                for item in file.items {
                    let input = match item {
                        Item::Struct(item) => DeriveInput::from(item),
                        Item::Enum(item) => DeriveInput::from(item),
                        _ => continue,
                    };
                    if derives(&input, "Serialize") || derives(&input, "Deserialize") {
                        let name = format!("{mode}{}", input.ident);
                        let other = self.0.insert(name, (input, mode.clone()));
                        assert!(other.is_none(), "two types have one name");
                    }
                }
            }
        }
    }

    /// Compares a file with the types that some of them need, and writes it anew if it is stale.
    fn check(&self, file: &str, roots: &[&str]) {
        let mut texts = BTreeMap::new();
        let mut open: Vec<String> = roots.iter().map(ToString::to_string).collect();
        while let Some(name) = open.pop() {
            if !texts.contains_key(&name) {
                let (input, mode) = &self.0[&name];
                let is_input = !derives(input, "Serialize");
                let mut translator = Translator {
                    types: self,
                    mode,
                    is_input,
                    needed: &mut open,
                };
                let text = translator.item(input);
                texts.insert(
                    name.clone(),
                    format!("\n{}export type {name} = {text};\n", docs(&input.attrs)),
                );
            }
        }
        let text = HEAD.to_owned() + &texts.into_values().collect::<String>();
        let path = repository_path(file);
        if !fs::read_to_string(&path).is_ok_and(|found| found == text) {
            fs::write(&path, text).expect("written");
            panic!("{file} was stale; it is written anew");
        }
    }
}

/// Translates a type.
struct Translator<'a> {
    types: &'a Types,
    mode: &'a str,
    /// The page writes it.
    is_input: bool,
    /// The names of the types in it.
    needed: &'a mut Vec<String>,
}

impl Translator<'_> {
    fn item(&mut self, input: &DeriveInput) -> String {
        let derive = if self.is_input {
            Derive::Deserialize
        } else {
            Derive::Serialize
        };
        let errors = Ctxt::new();
        let private = syn::parse_str("private").expect("a name");
        let container = Container::from_ast(&errors, input, derive, &private);
        errors.check().expect("attributes of serde");
        let container = container.expect("a type that serde derives");
        if let Some(into) = container.attrs.type_into() {
            return self.ty(into);
        }
        let variants = match &container.data {
            Data::Struct(style, fields) => return self.fields(*style, fields),
            Data::Enum(variants) => variants,
        };
        let names = variants
            .iter()
            .map(|variant| &variant.attrs.name().serialize_name().value);
        let texts = variants.iter().zip(names.clone()).map(|(variant, name)| {
            let is_unit = matches!(variant.style, Style::Unit);
            let fields = self.fields(variant.style, &variant.fields);
            let text = match container.attrs.tag() {
                TagType::None => fields,
                TagType::External if is_unit => format!("\"{name}\""),
                // It has no key of another.
                TagType::External => {
                    names
                        .clone()
                        .filter(|other| *other != name)
                        .fold(format!("{{ {name}: {fields};"), |text, other| {
                            format!("{text} {other}?: undefined;")
                        })
                        + " }"
                }
                TagType::Internal { tag } | TagType::Adjacent { tag, .. } if is_unit => {
                    format!("{{ {tag}: \"{name}\" }}")
                }
                TagType::Internal { tag } => format!("{{ {tag}: \"{name}\" }} & {fields}"),
                TagType::Adjacent { tag, content } => {
                    format!("{{ {tag}: \"{name}\", {content}: {fields} }}")
                }
            };
            docs(&variant.original.attrs) + &text
        });
        texts.collect::<Vec<String>>().join("\n  | ")
    }

    fn fields(&mut self, style: Style, fields: &[Field<'_>]) -> String {
        if !matches!(style, Style::Struct) {
            let parts: Vec<String> = fields.iter().map(|field| self.ty(field.ty)).collect();
            return if let [part] = &parts[..] {
                part.clone()
            } else {
                format!("[{}]", parts.join(", "))
            };
        }
        let (mut parts, mut own) = (Vec::new(), String::new());
        for field in fields
            .iter()
            .filter(|field| !field.attrs.skip_serializing())
        {
            let ty = self.ty(field.ty);
            if field.attrs.flatten() {
                parts.push(ty);
                continue;
            }
            let value = ty.trim_end_matches(" | null");
            let name = &field.attrs.name().serialize_name().value;
            own += &docs(&field.original.attrs);
            own += &if field.attrs.skip_serializing_if().is_some() {
                format!("{name}?: {value}; ")
            } else if self.is_input && (value != ty || !field.attrs.default().is_none()) {
                format!("{name}?: {ty}; ")
            } else {
                format!("{name}: {ty}; ")
            };
        }
        parts.push(format!("{{ {own}}}"));
        parts.join(" & ")
    }

    fn ty(&mut self, ty: &Type) -> String {
        match ty {
            Type::Reference(reference) => self.ty(&reference.elem),
            Type::Tuple(tuple) => {
                let parts: Vec<String> = tuple.elems.iter().map(|part| self.ty(part)).collect();
                format!("[{}]", parts.join(", "))
            }
            Type::Array(array) => {
                let Expr::Lit(length) = &array.len else {
                    panic!("a length that is no number")
                };
                let Lit::Int(length) = &length.lit else {
                    panic!("a length that is no number")
                };
                let part = self.ty(&array.elem);
                format!(
                    "[{}]",
                    vec![part; length.base10_parse().expect("a number")].join(", ")
                )
            }
            Type::Path(path) => {
                let mut segments = path.path.segments.iter().rev();
                let last = segments.next().expect("a name");
                let mode = segments
                    .next()
                    .map(|mode| capitalized(&mode.ident.to_string()));
                let name = last.ident.to_string();
                let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                    return self.named(mode.as_deref().unwrap_or(self.mode), &name);
                };
                let Some(GenericArgument::Type(inner)) = arguments.args.first() else {
                    return self.named(self.mode, &name);
                };
                let inner = self.ty(inner);
                match name.as_str() {
                    "Box" => inner,
                    "Option" => inner + " | null",
                    "Vec" | "VecDeque" => inner + "[]",
                    _ => panic!("unknown type {name}"),
                }
            }
            _ => panic!("a type that cannot be translated"),
        }
    }

    fn named(&mut self, mode: &str, name: &str) -> String {
        let mut names = [format!("{mode}{name}"), name.to_owned()].into_iter();
        if let Some(found) = names.find(|name| self.types.0.contains_key(name)) {
            self.needed.push(found.clone());
            return found;
        }
        let known = KNOWN
            .iter()
            .find(|(_, names)| names.split(' ').any(|known| known == name));
        let (known, _) = known.unwrap_or_else(|| panic!("unknown type {mode}{name}"));
        (*known).to_owned()
    }
}

/// Drops the conditions of attributes.
struct Unconditional;

impl VisitMut for Unconditional {
    fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
        let list = Punctuated::<Meta, Token![,]>::parse_terminated;
        if attribute.path().is_ident("cfg_attr")
            && let Ok(metas) = attribute.parse_args_with(list)
            && let Some(meta) = metas.into_iter().nth(1)
        {
            attribute.meta = meta;
        }
    }
}

fn derives(input: &DeriveInput, name: &str) -> bool {
    let derives = input
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("derive"));
    let mut paths = derives.flat_map(|attribute| {
        let paths = attribute.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated);
        paths.expect("names of traits")
    });
    paths.any(|path| path.segments.last().is_some_and(|last| last.ident == name))
}

fn docs(attributes: &[Attribute]) -> String {
    let lines = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"));
    let lines =
        lines.filter_map(
            |attribute| match &attribute.meta.require_name_value().ok()?.value {
                Expr::Lit(syn::ExprLit {
                    lit: Lit::Str(line),
                    ..
                }) => Some(line.value()),
                _ => None,
            },
        );
    let text: String = lines.collect();
    if text.is_empty() {
        text
    } else {
        format!("/**{text} */ ")
    }
}
