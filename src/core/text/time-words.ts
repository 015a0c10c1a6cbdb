import type { Language } from "./stop-words.js";

/** Regular expressions, without boundaries, of the time expressions of a language. */
type TimeWords = readonly string[];

/**
 * Languages in Latin script other than English. A text is read only in the language that was
 * detected for it, because a time expression can be an ordinary word in another language. For
 * example, `hier` is "yesterday" in French and "here" in German.
 */
const latinTimeWords: Partial<Record<Language, TimeWords>> = {
  german: [
    "gestern|heute|morgen|abends?|uhr|tage?n?|wochen?|monate?n?|jahre?n?|sommer|herbst|winter|frühling|übermorgen",
    "montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonnabends?|sonntags?",
    "januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember",
  ],
  french: [
    "hier|demain|matin|soirs?|heures?|jours?|semaines?|mois|ans?|années?|automne|hiver",
    "(?:l.|en\\s|cet\\s|d.)été",
    "aujourd.hui|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?",
    "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
  ],
  spanish: [
    "ayer|hoy|mañana|tarde|noche|horas?|días?|semanas?|mes(?:es)?|años?|verano|otoño|invierno",
    "lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|enero|febrero|marzo|abril|mayo",
    "junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
  ],
  italian: [
    "ieri|oggi|domani|mattin[ao]|sera|ore|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|estate|inverno",
    "lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|gennaio|febbraio|marzo|aprile",
    "maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre",
  ],
  portuguese: [
    "ontem|hoje|amanhã|manhã|noite|horas?|dias?|semanas?|mês|meses|anos?|verão|outono|inverno",
    "segunda|terça|quarta|quinta|sexta|sábados?|domingos?|janeiro|fevereiro|março|abril|maio",
    "junho|julho|agosto|setembro|outubro|novembro|dezembro",
  ],
  dutch: [
    "gisteren|vandaag|morgen|avonds?|uur|dag(?:en)?|week|weken|maand(?:en)?|jaar|jaren|zomer|winter",
    "maandags?|dinsdags?|woensdags?|donderdags?|vrijdags?|zaterdags?|zondags?|januari|februari",
    "maart|april|mei|juni|juli|augustus|september|oktober|november|december",
  ],
  polish: [
    "wczoraj|dzisiaj|dziś|jutro|rano|wieczor\\p{L}*|godzin\\p{L}*|dni|tygod\\p{L}*|miesi\\p{L}*",
    "lat[ao]?|rok|roku|zim[aąęy]|jesie(?:ń|nią|ni)|dzień|poniedział\\p{L}*|wtor\\p{L}*|środ[aęy]|czwart\\p{L}*",
    "piątk\\p{L}*|piątek|sobot[aęy]|niedziel[aęi]|stycz\\p{L}*|lut(?:y|ego|ym)|mar(?:zec|ca|cu)",
    "kwie(?:cień|tni\\p{L}*)|maj[au]?|czerw(?:iec|c[ua])|lip(?:iec|c[ua])|sierp\\p{L}*|wrze[sś]\\p{L}*",
    "październik\\p{L}*|listopad\\p{L}*|grud\\p{L}*",
  ],
};

/** Words of languages in another script that separate words as Latin script does: Russian. */
const cyrillicTimeWords: TimeWords = [
  "час(?:а|у|е|ы|ов|ам|ом|ами|ах)?",
  "вчера|сегодня|завтра|утр(?:о|а|ом|у)|вечер(?:а|ом|у)?|день|дн(?:я|ей)|недел\\p{L}*|месяц\\p{L}*",
  "год(?:а|у|ов|ы)?|лет(?:о|а|ом)?|зим(?:а|ой|у|ы)|осень|осенью|весн(?:а|ой|у|ы)|понедельник\\p{L}*",
  "вторник\\p{L}*|сред(?:а|у|ы)|четверг\\p{L}*|пятниц\\p{L}*|суббот\\p{L}*|воскресень\\p{L}*",
  "январ\\p{L}*|феврал\\p{L}*|март(?:а|е)?|апрел\\p{L}*|ма(?:й|я|е)|июн\\p{L}*|июл\\p{L}*",
  "август\\p{L}*|сентябр\\p{L}*|октябр\\p{L}*|ноябр\\p{L}*|декабр\\p{L}*",
];

/** Arabic words without article and prefixes. Two weekdays keep it, because it tells them apart. */
const arabicTimeWords: TimeWords = [
  "أمس|يوم|أيام|غدا|صباحا?|مساء|ساعة|ساعات|أسبوع|أسبوعين|أسابيع|شهر|شهرين|أشهر|سنة|سنوات|عام|عامين",
  "الأحد|الاثنين|ثلاثاء|أربعاء|خميس|جمعة|سبت|يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس",
  "سبتمبر|أكتوبر|نوفمبر|ديسمبر",
];

/** Languages without spaces between words: Chinese and Japanese. */
const joinedTimeWords: TimeWords = [
  "昨天|今天|明天|早上|晚上|上午|下午|星期|礼拜|周[一二三四五六日末]|去年|今年|明年",
  "[月火水木金土日]曜|昨日|今日|明日|今朝|毎朝|毎晩|先週|今週|来週|先月|今月|来月|昨年|来年",
  "[\\p{Nd}〇一二三四五六七八九十]\\s?(?:年|月|日|号|時|时|天|小时|个月)",
  // "一点" is "a little" too.
  "[\\p{Nd}二三四五六七八九十]\\s?[点點]",
];

const latinTimes = new Map(
  Object.entries(latinTimeWords).map(([language, words]) => [language, separate(words)]),
);
const otherTimes = new RegExp(
  [
    separate(cyrillicTimeWords).source,
    separate(arabicTimeWords, "[وفبكل]{0,2}(?:ال|لل)?").source,
    ...joinedTimeWords,
  ].join("|"),
  "iu",
);
const onlyLatin = /^[\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]*$/u;

/**
 * Whether a text has a time expression in another language than English.
 *
 * @param language The language of its words in Latin script; `undefined` if unknown.
 */
export function hasForeignTime(text: string, language: Language | undefined): boolean {
  const times = language && latinTimes.get(language);
  if (times?.test(text)) return true;
  return !onlyLatin.test(text) && otherTimes.test(text);
}

/**
 * Returns an expression that matches these words, but not within longer words.
 *
 * @param prefix An expression of what can stand before each word.
 */
function separate(words: TimeWords, prefix = ""): RegExp {
  return new RegExp(`(?<!\\p{L})${prefix}(?:${words.join("|")})(?!\\p{L})`, "iu");
}
