import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as armenian } from "@orama/stemmers/armenian";
import { stemmer as bulgarian } from "@orama/stemmers/bulgarian";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as serbian } from "@orama/stemmers/serbian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as tamil } from "@orama/stemmers/tamil";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stemmer as ukrainian } from "@orama/stemmers/ukrainian";
import { stem as english } from "porter2";
import type { Language } from "../../core/text/stop-words.js";

/** Stemmers for words in lower case. Languages that are not in the table have no stemmer. */
export type Stemmers = Readonly<Partial<Record<Language, (word: string) => string>>>;

/** All stemmers. Each returns the same stem for a word at any time. The English one takes ASCII. */
export const allStemmers: Stemmers = {
  arabic,
  armenian,
  bulgarian: (word) => bulgarian(writableWord(word)),
  danish,
  dutch,
  english,
  finnish,
  french,
  german,
  greek,
  hindi,
  hungarian,
  indonesian,
  italian,
  norwegian,
  portuguese,
  romanian,
  russian,
  serbian,
  spanish,
  swedish,
  tamil,
  turkish,
  ukrainian: stemUkrainian,
};

/**
 * Returns a word whose characters can be replaced. The Bulgarian stemmer replaces characters of the
 * word, which throws if the word is a string.
 */
function writableWord(word: string): string {
  const characters = word.split("");
  const substring = (start: number, end: number) => characters.slice(start, end).join("");
  // The stemmer uses nothing but the characters, their number and `substring`.
  return Object.assign(characters, { substring }) as unknown as string;
}

/**
 * Stems a Ukrainian word. In the package, a word on -ост changes the stem of the next such word,
 * because a global pattern keeps its position. The stemming of a word that does not match resets
 * the pattern.
 */
function stemUkrainian(word: string): string {
  const stem = ukrainian(word);
  if (word.toLowerCase().includes("ост")) ukrainian("ар");
  return stem;
}
