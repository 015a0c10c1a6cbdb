/** Matches the words that ask for a time: when, how long. */
const timeQuestions = anyOf([
  ["when", "how\\s{1,3}long", "what\\s{1,3}(?:date|day|month|year)"],
  ["wann", "welchem\\s{1,3}jahr", "wie\\s{1,3}lange"],
  ["quand(?!\\s{1,3}même)", "quelle\\s{1,3}année", "combien\\s{1,3}de\\s{1,3}temps"],
  ["cu[aá]ndo", "cu[aá]nto\\s{1,3}tiempo"],
  ["quando", "quanto\\s{1,3}tempo"],
  ["wanneer", "hoe\\s{1,3}lang"],
  ["när", "hur\\s{1,3}länge", "milloin", "koska", "kuinka\\s{1,3}kauan"],
  ["kiedy", "jak\\s{1,3}długo"],
  ["когда", "как\\s{1,3}долго", "сколько\\s{1,3}времени", "коли", "як\\s{1,3}довго"],
  ["khi\\s{1,3}nào", "bao\\s{1,3}lâu", "kapan", "berapa\\s{1,3}lama"],
]);
/** The same for Arabic, Chinese and Japanese, where a space need not precede such a word. */
const joinedTimeQuestions =
  /متى|什么时候|什麼時候|何时|哪天|哪一?年|多久|いつ(?![もか])|何曜日|何年|何月|何日/u;

/** Matches the words that ask for an hour: at what time. */
const hourQuestions = anyOf([
  ["what\\s{1,3}time", "um\\s{1,3}wie\\s{1,3}viel\\s{1,3}uhr", "wie\\s{1,3}spät"],
  ["quelle\\s{1,3}heure", "qu[eé]\\s{1,3}hora", "che\\s{1,3}ora", "que\\s{1,3}horas"],
  ["hoe\\s{1,3}laat", "hur\\s{1,3}dags", "vilken\\s{1,3}tid", "mihin\\s{1,3}aikaan"],
  ["której\\s{1,3}godzinie", "во\\s{1,3}сколько", "котор(?:ый|ом)\\s{1,3}час[уе]?"],
  ["(?:о|на)\\s{1,3}котрій", "mấy\\s{1,3}giờ", "jam\\s{1,3}berapa"],
]);
const joinedHourQuestions = /几点|幾點|何時|(?:أي|كم)\s{1,3}(?:ال)?ساعة/u;

/** Matches the words that ask for a number: how many. */
const numberQuestions = anyOf([
  ["how\\s{1,3}(?:many|much|often)"],
  ["wie\\s?viele?", "combien", "cu[aá]nt[oa]s", "quant[ie]", "quant[oa]s", "hoeveel"],
  ["ilu", "сколько", "كم"],
]);
const joinedNumberQuestions =
  /^\s*ile\s(?!de\s)|(?<!茶)几[^点乎何]|多少|いくつ|いくら|何[個人本冊枚台回件キ]/iu;

/** Whether a query asks for a time: when, how long. */
export function asksForTime(query: string): boolean {
  return timeQuestions.test(query) || joinedTimeQuestions.test(query);
}

/** Whether a query asks for an hour of a day. */
export function asksForHour(query: string): boolean {
  return hourQuestions.test(query) || joinedHourQuestions.test(query);
}

/** Whether a query asks for a number: how many. */
export function asksForNumber(query: string): boolean {
  return numberQuestions.test(query) || joinedNumberQuestions.test(query);
}

function anyOf(phrases: readonly (readonly string[])[]): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${phrases.flat().join("|")})(?!\\p{L})`, "iu");
}
