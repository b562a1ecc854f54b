/**
 * The letters of pieces in several languages. Moves are in English in PGN, in messages and in the modules of the page; they are
 * converted where they are shown, and where they are typed.
 */

const ENGLISH = ["K", "Q", "R", "B", "N"];
/** Names, and the letters of king, queen, rook, bishop and knight. @type {Record<string, [name: string, letters: string[]]>} */
export const LETTERS = {
  en: ["English", ENGLISH],
  de: ["Deutsch", ["K", "D", "T", "L", "S"]],
  fr: ["Français", ["R", "D", "T", "F", "C"]],
  es: ["Español", ["R", "D", "T", "A", "C"]],
  nl: ["Nederlands", ["K", "D", "T", "L", "P"]],
  pt: ["Português", ["R", "D", "T", "B", "C"]],
  ru: ["Русский", ["Кр", "Ф", "Л", "С", "К"]],
  figurines: ["Figurines", ["♔", "♕", "♖", "♗", "♘"]],
};
const BLACK_FIGURINES = ["♚", "♛", "♜", "♝", "♞"];

/** The letter of a piece that moves in SAN, and that of a promotion. */
const SHOWN = /(?<![\p{L}\p{N}])[KQRBN](?=[a-h]?[1-8]?x?[a-h][1-8](?![\p{L}\p{N}]))|(?<=[a-h][18]=)[QRBN]/gu;
/** A move by its squares, or in SAN, up to the letter of its promotion. */
const PROMOTION = /^(.*[a-h][18]=?)([^\d=+#]+)([+#]?)$/iu;

/** A move in SAN after the letter of its piece. */
const DESTINATION = /^[a-h]?[1-8]?[x:-]?[a-h][1-8]/i;

let letters = ENGLISH;
/** @type {(() => void)[]} */
const listeners = [];

/** Chooses a language; what shows moves is drawn again. @param {string} language */
export function setLetters(language) {
  const [, chosen] = LETTERS[language] ?? LETTERS.en;
  if (letters === chosen) return;
  letters = chosen;
  for (const draw of listeners) draw();
}

/** Has moves drawn again when another language is chosen. @param {() => void} draw */
export const onLetters = (draw) => listeners.push(draw);

/** A text whose moves have the letters of the chosen language. Not to be applied twice. @param {string} text */
export const localized = (text) => (letters === ENGLISH ? text : text.replaceAll(SHOWN, (letter) => letters[ENGLISH.indexOf(letter)]));

/**
 * The English letter of a piece to promote to. No pawn becomes a king: with Spanish letters, R is a rook as in English.
 * @param {string} typed
 */
export function promotionLetter(typed) {
  const at = [letters, BLACK_FIGURINES, LETTERS.figurines[1]].map((some) => some.findIndex((letter, index) => index > 0 && letter === typed.toUpperCase()));
  return ENGLISH[Math.max(...at)] ?? typed;
}

/**
 * A typed move in English. Where a letter means different pieces, it is that of the chosen language; other English letters are
 * understood, too. A small letter is that of a piece unless it is that of a file.
 * @param {string} typed
 */
export function english(typed) {
  const text = typed.replace(PROMOTION, (_, move, letter, check) => move + promotionLetter(letter) + check);
  if (/^[a-h][1-8][a-h][1-8]/i.test(text)) return text;
  // К begins Кр.
  const known = [letters, LETTERS.figurines[1], BLACK_FIGURINES].flatMap((some) => some.map((letter, index) => ({ letter, index })));
  const found = known.find(({ letter }) => text.startsWith(letter))
    ?? known.find(({ letter }) => !/[a-h]/i.test(letter) && text.toLowerCase().startsWith(letter.toLowerCase()));
  const rest = text.slice(found?.letter.length);
  return found && DESTINATION.test(rest) ? ENGLISH[found.index] + rest : text;
}
