/**
 * The page in other languages than English, in which it is written: a catalog has the translations of its texts, and what it lacks
 * stays English.
 *
 * Texts are translated where they are shown, so that those of the server and of the page need nothing else. Names of people and
 * fields that show notation are in elements with `translate="no"`.
 */
import { load, store } from "./storage.js";

/** @typedef {(text: string) => string | null} Translate returns null for a text that the catalog lacks */

/** @type {Record<string, string>} */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" };
const KEY = "language", ATTRIBUTES = ["title", "aria-label", "placeholder", "aria-description"];
const KEPT = "[translate=no], script, style";
/** The ends of sentences; the dot after the number of a move is none. */
const SENTENCE = /(?<=[.!?:])(?<!(?:^|[ (])\d+\.+(?= +(?:\S*\d|O.O))) +/;

/** The language that was chosen, or the browser's. @type {string} */
export const language = [load(KEY), ...(navigator.languages ?? []).map((tag) => tag.split("-")[0])].find((code) => Object.hasOwn(LANGUAGES, code)) ?? "en";

/** @param {string} code */
export function setLanguage(code) {
  store(KEY, code);
  location.reload();
}

/** Moves, squares, castling rights, numbers, results and openings, which are the same in every language. @param {string} text */
const isNotation = (text) => /^[A-E]\d\d /.test(text) || text.split(/[\s,;:()/–·]+/).every((word) => /\d|^O.O(.O)?[+#]?$|^[KQ]{0,2}[kq]{0,2}$/.test(word) || !/\p{L}{2}/u.test(word));

/** A part of a sentence as a sentence of its own, with and without a dot; nothing for other entries. @param {[string, string]} entry */
function sentencesOf(entry) {
  if (!/^\p{Ll}.* /u.test(entry[0])) return [];
  const sentence = entry.map((text) => text[0].toUpperCase() + text.slice(1));
  return /[.…!?:]$/.test(entry[0]) ? [sentence] : [sentence, sentence.map((text) => `${text}.`)];
}

/**
 * @param {Record<string, string>} catalog from English sentences and parts of them, in which `{name}` stands for what varies, and `{n}`, `{m}` and `{k}` for
 * numbers
 * @returns {Translate}
 */
export function translator(catalog) {
  /** @type {Map<string, string>} */
  const known = new Map();
  /** @type {{ expression: RegExp, translation: string, literals: number, literal: string }[]} */
  const templates = [];
  const entries = Object.entries({ ...Object.fromEntries(Object.entries(catalog).flatMap(sentencesOf)), ...catalog });
  for (const [english, translation] of entries) {
    const parts = english.split(/\{(\w+)\}/);
    if (parts.length === 1) known.set(english, translation);
    else {
      const source = parts.map((part, index) => (index % 2 ? `(?<${part}>${/^[nmk]$/.test(part) ? "[\\d.,]+" : ".+?"})` : part.replaceAll(/[.*+?^$()[\]|\\]/g, "\\$&")));
      const [literal, ...others] = parts.filter((_, index) => index % 2 === 0).sort((part, other) => other.length - part.length);
      const literals = literal.length + others.join("").length;
      templates.push({ expression: new RegExp(`^${source.join("")}$${parts.at(-1) ? "" : "(?<![.:])"}`, "s"), translation, literals, literal });
    }
  }
  // The one that says most about a text is meant.
  templates.sort((one, other) => other.literals - one.literals);

  /** A text that is in the catalog, as it is or by a template. @type {Translate} */
  function one(text) {
    const found = known.get(text) ?? (isNotation(text) ? text : undefined);
    if (found !== undefined) return found;
    for (const { expression, translation, literal } of templates) {
      // Most are excluded without the expression.
      const groups = text.includes(literal) ? expression.exec(text)?.groups : null;
      if (groups) return translation.replaceAll(/\{(\w+)\}/g, (_, name) => one(groups[name]) ?? groups[name]);
    }
    return null;
  }

  /** @type {Translate} */
  const translate = (text) => {
    if (text.includes(" · ")) return text.split(" · ").map((fact) => translate(fact) ?? fact).join(" · ");
    const [, before, trimmed, after] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? ["", "", text, ""];
    const sentences = trimmed.split(SENTENCE), translations = sentences.map(one);
    // What varies in a template is no sentence.
    const isComplete = sentences.length === 1 || translations.every((translation) => translation !== null);
    const whole = known.get(trimmed) ?? (isComplete ? null : one(trimmed));
    if (whole === null && translations.every((translation) => translation === null)) return null;
    return before + (whole ?? translations.map((translation, index) => translation ?? sentences[index]).join(" ")) + after;
  };
  return translate;
}

/** Calls a function with each text of an element, its attributes and its descendants, unless it is kept. @param {Node} node @param {(text: Text | Attr) => void} visit */
export function eachText(node, visit) {
  const parent = node instanceof Element ? node : node.parentElement;
  if (!parent || parent.closest(KEPT)) return;
  if (node instanceof Text) visit(node);
  if (!(node instanceof Element)) return;
  for (const name of ATTRIBUTES) {
    const attribute = node.getAttributeNode(name);
    if (attribute) visit(attribute);
  }
  for (const child of node.childNodes) eachText(child, visit);
}

/** Translates the page, and what is shown later. */
export async function translatePage() {
  document.documentElement.lang = language;
  if (language === "en") return;
  const translate = translator((await import(`./languages/${language}.js`)).default);
  /** What was written by the translator. @type {WeakMap<Node, string>} */
  const written = new WeakMap();
  /** @param {Text | Attr} text */
  const visit = (text) => {
    const value = text.nodeValue ?? "";
    if (written.get(text) === value) return;
    const translation = translate(value);
    if (translation === null || translation === value) return;
    written.set(text, translation);
    text.nodeValue = translation;
  };
  const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes, attributeName } of changes) {
      if (type === "childList") for (const node of addedNodes) eachText(node, visit);
      else if (type === "characterData") eachText(target, visit);
      else if (target instanceof Element && attributeName && !target.closest(KEPT)) {
        const attribute = target.getAttributeNode(attributeName);
        if (attribute) visit(attribute);
      }
    }
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ATTRIBUTES });
  eachText(document.documentElement, visit);
}
