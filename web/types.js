/**
 * Writes messages.d.ts and wasm/rules_types.d.ts: the types of the JSON between the programs and their pages, and of the rules for
 * JavaScript, from the Rust types that serde reads and writes. A type has its name in Rust, after the name of its mode. What cannot be translated is an error.
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const ROOT = new URL("../", import.meta.url);
const MESSAGES = "board/src/messages";
const SHARED = [
  `${MESSAGES}.rs`, "board/src/illegal.rs", "board/src/legal.rs", "board/src/own.rs",
  "game/src/annotation/heading.rs", "game/src/library.rs", "game/src/profile/names.rs", "game/src/progress.rs", "game/src/play/chess.rs", "game/src/side.rs",
  "tridim/src/castling_status.rs",
];
const RULES = [
  ...["lib", "state", "castling", "pgn"].map((name) => `web/rules/src/${name}.rs`),
  ...["attackers", "castling_error", "illegal_move", "pins"].map((name) => `movegen/src/${name}.rs`),
];

/** Types without a definition that serde derives. */
const KNOWN = new Map([
  ["bool", "boolean"], ["Square", "Square"], ["ColorName", "Color"], ["Color", "Color"], ["Attackers", "Attacker[]"], ["Bitboard", "never"], ["NaiveDate", "string"],
  ...["String", "str", "char", "Role", "Piece", "PlayedMove", "CastlingSide"].map((name) => /** @type {const} */ ([name, "string"])),
  ...["u8", "u16", "u32", "u64", "usize", "i32", "i64", "f64", "NodeId"].map((name) => /** @type {const} */ ([name, "number"])),
]);
const HEAD = `/** Such as \`e4\`; in Tri-Dimensional chess \`b2W\`. */
export type Square = string;
export type Color = "white" | "black";
`;

const ITEM = /((?:^(?:\/\/\/|#\[).*\n)+)^(?:pub(?:\(\w+\))? )?(struct|enum) (\w+)(?:<'a>)?(.*;$|[^]*?^\})/gm;
const TOKEN = /\/\/\/.*|#\[[^\]]*\]|'\w+|\w+|::|[^\s]/g;

/** @typedef {{ docs: string, serde: Map<string, string> }} Attributes */
/** @typedef {{ attributes: Attributes, isEnum: boolean, name: string, prefix: string, body: string, input: boolean }} Item */
/** @type {Map<string, Item>} by their names in TypeScript */
const items = new Map();

/** @param {string} text */
const capitalized = (text) => text[0].toUpperCase() + text.slice(1);
/** @param {string} text */
const camelCase = (text) => text.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
/** @param {string} text */
const snakeCase = (text) => text.replace(/(?!^)[A-Z]/g, "_$&").toLowerCase();

/** Alternatives by what they contain: each says that it has no key of another. @param {string[]} variants */
function exclusive(variants) {
  const keys = variants.map((variant) => Array.from(variant.matchAll(/(\w+): /g), ([, key]) => key));
  const others = keys.map((own) => keys.flat().filter((key) => !own.includes(key)));
  return variants.map((variant, index) => `${variant} & { ${others[index].map((key) => `${key}?: undefined;`).join(" ")} }`);
}

/** @param {string[]} lines documentation and attributes */
function attributesOf(lines) {
  const docs = lines.filter((line) => line.startsWith("///")).map((line) => line.slice(3)).join("");
  const options = lines.filter((line) => line.startsWith("#[serde")).join().matchAll(/(\w+)(?: ?= ?"([^"]*)")?(?=[,)])/g);
  return { docs: docs && `/**${docs} */ `, serde: new Map([...options].map(([, name, value]) => [name, value ?? ""])) };
}

/** @param {string} path @param {string} prefix */
function read(path, prefix) {
  const text = readFileSync(new URL(path, ROOT), "utf8")
    .replace(/cfg_attr\(\s*feature = "serde",([^]*?\))\s*\)\]/g, (_, attribute) => `${attribute.replace(/\s+/g, "")}]`);
  for (const [, head, kind, name, body] of text.matchAll(ITEM)) {
    const derived = /^#\[derive\(.*\b((?:De)?[Ss]erialize)\b/m.exec(head);
    if (!derived) continue;
    const input = !/\bSerialize\b/.test(head);
    items.set(prefix + name, { attributes: attributesOf(head.split("\n")), isEnum: kind === "enum", name, prefix, body, input });
  }
}

/** Translates an item. */
class Translator {
  /** @param {Item} item */
  constructor(item) {
    this.item = item;
    this.tokens = item.body.match(TOKEN) ?? [];
  }

  /** @param {string} problem @returns {never} */
  fail(problem) {
    throw new Error(`${this.item.prefix}${this.item.name}: ${problem} before '${this.tokens.slice(0, 5).join(" ")}'`);
  }

  next() {
    return this.tokens.shift() ?? this.fail("the end");
  }

  /** @param {string} token */
  skip(token) {
    const found = this.tokens[0] === token;
    if (found) this.tokens.shift();
    return found;
  }

  /** @param {string} token */
  expect(token) {
    if (!this.skip(token)) this.fail(`no '${token}'`);
  }

  attributes() {
    const lines = [];
    while (/^(?:\/\/\/|#)/.test(this.tokens[0])) lines.push(this.next());
    return attributesOf(lines);
  }

  /** @param {string} end @param {() => string} part */
  list(end, part) {
    const parts = [];
    while (!this.skip(end)) {
      parts.push(part());
      if (this.tokens[0] !== end) this.expect(",");
    }
    return parts;
  }

  /** @returns {string} */
  type() {
    this.attributes();
    if (this.skip("&")) {
      if (this.tokens[0].startsWith("'")) this.next();
      return this.type();
    }
    if (this.skip("(")) return `[${this.list(")", () => this.type()).join(", ")}]`;
    if (this.skip("[")) {
      const part = this.type();
      this.expect(";");
      const length = Number(this.next());
      this.expect("]");
      return `[${Array(length).fill(part).join(", ")}]`;
    }
    const name = this.next();
    if (this.skip("::")) return this.named(capitalized(name), this.next());
    if (!this.skip("<")) return this.named(this.item.prefix, name);
    const inner = this.type();
    this.expect(">");
    if (name === "Box") return inner;
    if (name === "Option") return `${inner} | null`;
    if (name === "Vec" || name === "VecDeque") return `${inner}[]`;
    return this.fail(`unknown type ${name}`);
  }

  /** @param {string} prefix @param {string} name */
  named(prefix, name) {
    const found = [prefix + name, name].find((name) => items.has(name));
    return found ?? KNOWN.get(name) ?? this.fail(`unknown type ${name}`);
  }

  /** The fields up to the end, as a type. */
  fields() {
    /** @type {string[]} */
    const flat = [];
    const options = this.item.attributes.serde, isCamelCase = [options.get("rename_all"), options.get("rename_all_fields")].includes("camelCase");
    const own = this.list("}", () => {
      const { docs, serde } = this.attributes();
      if (this.skip("pub") && this.skip("(")) [this.next(), this.expect(")")];
      const ownName = this.next();
      const name = serde.get("rename") ?? (isCamelCase ? camelCase(ownName) : ownName);
      this.expect(":");
      const type = this.type(), isOption = type.endsWith(" | null");
      if (serde.has("skip")) return "";
      if (serde.has("flatten")) return flat.push(type), "";
      if (serde.has("skip_serializing_if")) return `${docs}${name}?: ${type.replace(/ \| null$/, "")};`;
      return `${docs}${name}${this.item.input && (isOption || serde.has("default")) ? "?" : ""}: ${type};`;
    });
    return [...flat, `{ ${own.join(" ")} }`].join(" & ");
  }

  variant() {
    const { docs } = this.attributes(), { serde } = this.item.attributes;
    const name = snakeCase(this.next()), tag = serde.get("tag"), content = serde.get("content");
    const fields = this.skip("{") ? this.fields() : this.skip("(") ? this.list(")", () => this.type()).join() : null;
    if (content) return `${docs}{ ${tag}: "${name}", ${content}: ${fields} }`;
    if (tag) return `${docs}{ ${tag}: "${name}" }${fields ? ` & ${fields}` : ""}`;
    if (serde.has("untagged")) return fields ?? this.fail("a variant without fields");
    return fields ? `{ ${name}: ${fields} }` : JSON.stringify(name);
  }

  translation() {
    const { attributes, isEnum, name, prefix } = this.item, { serde } = attributes;
    if (isEnum && !serde.has("untagged") && serde.get("rename_all") !== "snake_case") this.fail("variants that are not in snake_case");
    let type = "string";
    if (this.skip("(")) {
      const parts = this.list(")", () => this.type());
      type = parts.length === 1 ? parts[0] : `[${parts.join(", ")}]`;
    } else if (serde.get("into") !== "String") {
      this.expect("{");
      const variants = isEnum ? this.list("}", () => this.variant()) : [this.fields()];
      type = (isEnum && !serde.has("tag") && variants[0].startsWith("{") ? exclusive(variants) : variants).join("\n  | ");
    }
    return `\n${attributes.docs}export type ${prefix}${name} = ${type};\n`;
  }
}

/** @param {string} output @param {string} head */
function write(output, head) {
  const types = [...items.values()].map((item) => new Translator(item).translation());
  writeFileSync(new URL(output, import.meta.url), head + types.join(""));
  items.clear();
}

SHARED.forEach((path) => read(path, ""));
for (const file of readdirSync(new URL(MESSAGES, ROOT)).sort()) read(`${MESSAGES}/${file}`, capitalized(file.replace(".rs", "")));
write("messages.d.ts", HEAD);
RULES.forEach((path) => read(path, ""));
write("wasm/rules_types.d.ts", HEAD);
