/** Matches the words that ask for a time (when, how long) in languages other than English. */
const timeQuestions = anyOf([
  ["wann", "welchem\\s{1,3}jahr", "wie\\s{1,3}lange", "um\\s{1,3}wie\\s{1,3}viel\\s{1,3}uhr"],
  ["quand(?!\\s{1,3}même)", "quelle\\s{1,3}(?:heure|année)", "combien\\s{1,3}de\\s{1,3}temps"],
  ["cu[aá]ndo", "qu[eé]\\s{1,3}hora", "cu[aá]nto\\s{1,3}tiempo"],
  ["quando", "che\\s{1,3}ora", "quanto\\s{1,3}tempo", "que\\s{1,3}horas"],
  ["wanneer", "hoe\\s{1,3}laat", "hoe\\s{1,3}lang"],
  ["kiedy", "której\\s{1,3}godzinie", "jak\\s{1,3}długo"],
  ["когда", "во\\s{1,3}сколько", "как\\s{1,3}долго", "сколько\\s{1,3}времени"],
]);
/** The same for Arabic, Chinese and Japanese, where a space need not precede such a word. */
const joinedTimeQuestions =
  /متى|什么时候|什麼時候|何时|几点|哪天|哪一?年|多久|いつ(?![もか])|何時|何曜日|何年|何月|何日/u;

/** Matches the words that ask for a number (how many) in languages other than English. */
const numberQuestions = anyOf([
  ["wie\\s?viele?", "combien", "cu[aá]nt[oa]s", "quant[ie]", "quant[oa]s", "hoeveel"],
  ["ilu", "сколько", "كم"],
]);
const joinedNumberQuestions =
  /^\s*ile\s(?!de\s)|(?<!茶)几[^点乎何]|多少|いくつ|いくら|何[個人本冊枚台回件キ]/iu;

/** Whether a query in another language than English asks for a time. */
export function asksForeignTime(query: string): boolean {
  return timeQuestions.test(query) || joinedTimeQuestions.test(query);
}

/** Whether a query in another language than English asks for a number. */
export function asksForeignNumber(query: string): boolean {
  return numberQuestions.test(query) || joinedNumberQuestions.test(query);
}

function anyOf(phrases: readonly (readonly string[])[]): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${phrases.flat().join("|")})(?!\\p{L})`, "iu");
}
