import { excessMarks } from "./words.js";

const onlyAscii = /^\p{ASCII}*$/u;
/** Matches invisible characters, except those that tell some flag emoji apart (tag characters). */
const invisible = /(?![\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu;
const skinTones = /\p{Emoji_Modifier}/gu;
/** Matches the wide and narrow forms of characters in East Asian type. */
const wideOrNarrow = /[\uff01-\uffee]+/g;
const singleQuotes = /[\u2018\u2019\u02bc]/g;
const doubleQuotes = /[\u201c\u201d]/g;
/** Matches hyphens, the figure dash, the en dash and the minus sign. */
const hyphens = /[\u2010-\u2013\u2212]/g;

/**
 * Returns a text in one spelling of its characters. Two texts become equal if they look alike,
 * apart from typography and emoji colours. Keeps everything that a reader would call a sign, a
 * symbol or a digit. For example, `10²` does not become `102`, as it would by NFKC.
 */
export function oneSpelling(text: string): string {
  if (onlyAscii.test(text)) return text;
  return text
    .replace(invisible, "")
    .replace(excessMarks, "$1")
    .normalize("NFC")
    .replace(wideOrNarrow, (characters) => characters.normalize("NFKC"))
    .replace(skinTones, "")
    .replace(singleQuotes, "'")
    .replace(doubleQuotes, '"')
    .replace(hyphens, "-");
}
