import { findEnglishDays } from "./english-days.js";
import type { TurnLanguage } from "./turn-language.js";

const timeWords = [
  "yesterday|today|tonight|tomorrow|last|next|ago|since|morning",
  "days?|week(?:end)?s?|months?|years?|summer|winter|spring|fall",
  "(?:mon|tues|wednes|thurs|fri|satur|sun)day",
  "january|february|april|june|july|august|september|october|november|december",
];
const time = new RegExp(String.raw`\b(?:${timeWords.join("|")})\b`, "i");
/** In lower case, these months are mostly other words. */
const month = /\b(?:March|May)\b/;
const numberWord =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|once|twice|several|couple)\b/i;
const timeQuestion = /\b(?:when|how\s{1,3}long|what\s{1,3}(?:date|day|month|year|time))\b/i;
const numberQuestion = /\bhow\s{1,3}(?:many|much|often)\b/i;

export const englishTurns: TurnLanguage = {
  hasTime: (text) => time.test(text) || month.test(text),
  hasNumberWord: (text) => numberWord.test(text),
  findDays: findEnglishDays,
  asksTime: (query) => timeQuestion.test(query),
  asksNumber: (query) => numberQuestion.test(query),
};
