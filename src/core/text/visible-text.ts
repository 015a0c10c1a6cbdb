import { replaceLineBreaks } from "./line-breaks.js";

/** The scripts in which a joiner inside a word changes how the word looks. */
const joiningScripts = ["Arab", "Syrc", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu"]
  .concat(["Knda", "Mlym", "Sinh"])
  .map((script) => `\\p{scx=${script}}`)
  .join("");

/** What is kept as it is: emoji, and joiners inside a word of a script that needs them. */
const kept = `\\p{RGI_Emoji}|(?<=[${joiningScripts}])\\p{Join_Control}(?=[${joiningScripts}])`;
const hidden = "[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]";
const keptOrHidden = new RegExp(`(${kept})|${hidden}`, "gv");

/**
 * Replaces control and format characters by visible escapes such as `\u202e`, except line breaks
 * and tabs. No character can then hide, or change the order in which others are shown.
 */
export function visibleText(text: string): string {
  return text.replace(keptOrHidden, (character, isKept?: string) =>
    isKept !== undefined || character === "\n" || character === "\t"
      ? character
      : escapeOf(character),
  );
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/** Writes a name for a model or a person: in one line, with hidden characters as escapes. */
export function visibleName(name: string): string {
  return visibleText(replaceLineBreaks(name, " "));
}
