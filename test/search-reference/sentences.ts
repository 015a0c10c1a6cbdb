import type { Choices } from "./random.js";

/** People, as authors of memories and as names in texts. Two of them share a family name. */
export const people = ["Ida Berg", "Tom Berg", "Maria Santos", "Kenji", "Olu Adeyemi", "Priya"];
const firstNames = people.map((name) => name.split(" ")[0] ?? name);
const verbs = ["visited", "repaired", "painted", "bought", "lost", "found", "cooked", "cancelled"];
const things = [
  "the old clock",
  "a red bicycle",
  "the kitchen in Lisbon",
  "two concert tickets",
  "the peanut allergy test",
  "a GitHub repository",
  "the train to Oslo",
  "her vitamin D pills",
  "the garden fence",
  "the error E42 in user_profile",
  "a sourdough bread",
  "the dentist appointment",
];
const endings = [
  "with a friend",
  "because of the rain",
  "for $25",
  "at 7:30 pm",
  "and was not happy about it",
  "after the marathon",
  "before the wedding",
  "in the new office",
];
const days = ["last Friday", "on 3 May 2025", "yesterday", "in July", "next week", "on 14 October"];
const foreign = [
  "Meine Schwester zog nach Lissabon und repariert alte Uhren.",
  "Ma sœur habite à Lisbonne depuis trois ans.",
  "姐姐去年搬到里斯本当护士。",
  "Моя сестра переехала в Лиссабон.",
  "姉はリスボンへ引っ越した。",
];

/** Returns a sentence about a person, in English or sometimes in another language. */
export function statement(choose: Choices): string {
  if (choose.chance(0.03)) return choose.one(foreign);
  const day = choose.chance(0.3) ? ` ${choose.one(days)}` : "";
  const name = choose.one(firstNames);
  const deed = `${choose.one(verbs)} ${choose.one(things)} ${choose.one(endings)}`;
  return `${name} ${deed}${day}.`;
}

/** Returns a question, for a turn of a conversation or for a query. */
export function question(choose: Choices): string {
  const thing = choose.one(things);
  const name = choose.one(firstNames);
  return choose.one([
    `When did ${name} find ${thing}?`,
    `How many times has ${name} painted ${thing}?`,
    `Who repaired ${thing} ${choose.one(days)}?`,
    `Where is ${thing}?`,
    `What did ${name} buy ${choose.one(endings)}?`,
  ]);
}

/** Returns a text with a typing error: two exchanged letters, or a wrong word at the end. */
export function misspelled(text: string, choose: Choices): string {
  const words = text.split(" ");
  const at = choose.below(words.length);
  const word = words[at] ?? "";
  if (word.length < 4) return `${text} ${word}x`;
  const from = 1 + choose.below(word.length - 3);
  words[at] =
    word.slice(0, from) + (word[from + 1] ?? "") + (word[from] ?? "") + word.slice(from + 2);
  return words.join(" ");
}
