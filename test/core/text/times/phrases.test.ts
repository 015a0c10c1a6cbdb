import { describe, expect, test } from "vitest";
import { findTimeZone } from "../../../../src/core/model/time-zone.js";
import { findDates } from "../../../../src/core/search/query/date.js";
import { isoRanges } from "./iso-ranges.js";

/**
 * The time of the queries: Saturday, 29 November, in the first zone, Sunday, 30 November, in the
 * second one, and Monday, 1 December, in the third one.
 */
const askedAt = Date.parse("2025-11-30T10:30:00Z");
const zones = ["Pacific/Pago_Pago", "UTC", "Pacific/Kiritimati"];

const languages = ["en", "de", "fr", "es", "it", "pt", "nl", "ru", "zh", "ja"] as const;

/**
 * Each line has the days in the three zones, or once if they are the same, and the phrase in each
 * language. `-`: the language has no such phrase, or the line above has it.
 */
const table = `
2025-11-28 2025-11-29 2025-11-30 | yesterday | gestern | hier | ayer | ieri | ontem | gisteren | вчера | 昨天 | 昨日
2025-11-27 2025-11-28 2025-11-29 | the day before yesterday | vorgestern | avant-hier | anteayer | l'altro ieri | anteontem | eergisteren | позавчера | 前天 | 一昨日
2025-11-30 2025-12-01 2025-12-02 | tomorrow | morgen | demain | mañana | domani | amanhã | morgen | завтра | 明天 | 明日
2025-11-17/2025-11-23 2025-11-17/2025-11-23 2025-11-24/2025-11-30 | last week | letzte Woche | la semaine dernière | la semana pasada | la settimana scorsa | na semana passada | vorige week | на прошлой неделе | 上周 | 先週
2025-10-01/2025-10-31 2025-10-01/2025-10-31 2025-11-01/2025-11-30 | last month | letzten Monat | le mois dernier | el mes pasado | il mese scorso | no mês passado | vorige maand | в прошлом месяце | 上个月 | 先月
2024-01-01/2024-12-31 | last year | letztes Jahr | l'année dernière | el año pasado | l'anno scorso | no ano passado | vorig jaar | в прошлом году | 去年 | 昨年
2025-11-26 2025-11-27 2025-11-28 | three days ago | vor drei Tagen | il y a trois jours | hace tres días | tre giorni fa | há três dias | drie dagen geleden | три дня назад | 三天前 | 3日前
2025-11-08/2025-11-29 2025-11-09/2025-11-30 2025-11-10/2025-12-01 | in the last three weeks | in den letzten drei Wochen | ces trois dernières semaines | en las últimas tres semanas | nelle ultime tre settimane | nas últimas três semanas | in de afgelopen drie weken | за последние три недели | 过去三周 | 過去3週間
2025-11-28 2025-11-28 2025-11-28 | last Friday | letzten Freitag | vendredi dernier | el viernes pasado | venerdì scorso | na sexta-feira passada | afgelopen vrijdag | в прошлую пятницу | - | -
2025-11-21 2025-11-21 2025-11-28 | Friday last week | - | - | el viernes de la semana pasada | - | - | - | - | 上周五 | 先週の金曜日
2025-05-01/2025-05-31 | in May 2025 | im Mai 2025 | en mai 2025 | en mayo de 2025 | a maggio 2025 | em maio de 2025 | in mei 2025 | в мае 2025 | 2025年5月 | 2025年5月
2024-03-03 | on 3 March 2024 | am 3. März 2024 | le 3 mars 2024 | el 3 de marzo de 2024 | il 3 marzo 2024 | em 3 de março de 2024 | op 3 maart 2024 | 3 марта 2024 года | 2024年3月3日 | 2024年３月３日
/2025-03-19 | before 20 March | vor dem 20. März | avant le 20 mars | antes del 20 de marzo | prima del 20 marzo | antes de 20 de março | voor 20 maart | до 20 марта | 3月20日之前 | 3月20日より前
2025-03-21/ | after 20 March | nach dem 20. März | après le 20 mars | después del 20 de marzo | dopo il 20 marzo | depois de 20 de março | na 20 maart | после 20 марта | 3月20日之后 | 3月20日の後
2025-05-01/ | since May | seit Mai | depuis mai | desde mayo | da maggio | desde maio | sinds mei | с мая | 五月以来 | 5月以降
/2024-06-30 | until June 2024 | bis Juni 2024 | jusqu'en juin 2024 | hasta junio de 2024 | fino a giugno 2024 | até junho de 2024 | tot juni 2024 | по июнь 2024 | - | 2024年6月まで
2024-06-03/2024-06-09 | between 3 and 9 June 2024 | zwischen dem 3. und dem 9. Juni 2024 | entre le 3 et le 9 juin 2024 | entre el 3 y el 9 de junio de 2024 | tra il 3 e il 9 giugno 2024 | entre 3 e 9 de junho de 2024 | tussen 3 en 9 juni 2024 | между 3 и 9 июня 2024 | 2024年6月3日到6月9日 | 2024年6月3日から9日まで
2024-05-01/2024-07-31 | from May to July 2024 | von Mai bis Juli 2024 | de mai à juillet 2024 | de mayo a julio de 2024 | da maggio a luglio 2024 | de maio a julho de 2024 | van mei tot juli 2024 | с мая по июль 2024 | 2024年5月到7月 | 2024年5月から7月まで
2024-05-21/2024-05-31 | at the end of May 2024 | Ende Mai 2024 | fin mai 2024 | a finales de mayo de 2024 | alla fine di maggio 2024 | no fim de maio de 2024 | eind mei 2024 | в конце мая 2024 | - | -
`;

const cases = table
  .trim()
  .split("\n")
  .flatMap((row) => {
    const [days = "", ...phrases] = row.split(" | ");
    const [first = "", ...others] = days.split(" ");
    const expected = others.length === 0 ? [first, first, first] : [first, ...others];
    return phrases
      .map((phrase, at): [string, string, string[]] => [languages[at] ?? "", phrase, expected])
      .filter(([, phrase]) => phrase !== "-");
  });

describe("the time zone of a query decides which days it names", () => {
  test("the table has more than 120 phrases in ten languages", () => {
    expect(cases.length).toBeGreaterThan(120);
    expect(new Set(cases.map(([language]) => language)).size).toBe(10);
  });

  test.each(cases)("%s: %s", (_, phrase, expected) => {
    const found = zones.map((zone) => {
      const today = findTimeZone(zone)?.dayOf(askedAt) ?? Number.NaN;
      return isoRanges(findDates(phrase, today)).join(" ");
    });
    expect(found).toEqual(expected);
  });
});

test.each([
  ["sv", "förra veckan", "2025-11-17/2025-11-23"],
  ["sv", "i maj 2025", "2025-05-01/2025-05-31"],
  ["sv", "för tre dagar sedan", "2025-11-27"],
  ["sv", "före den 20 mars", "/2025-03-19"],
  ["fi", "toissapäivänä", "2025-11-28"],
  ["fi", "viime viikolla", "2025-11-17/2025-11-23"],
  ["fi", "toukokuussa 2025", "2025-05-01/2025-05-31"],
  ["fi", "kolme päivää sitten", "2025-11-27"],
  ["fi", "ennen 20. maaliskuuta", "/2025-03-19"],
  ["uk", "минулого тижня", "2025-11-17/2025-11-23"],
  ["uk", "у травні 2025", "2025-05-01/2025-05-31"],
  ["uk", "три дні тому", "2025-11-27"],
  ["pl", "w zeszłym tygodniu", "2025-11-17/2025-11-23"],
  ["pl", "w maju 2025", "2025-05-01/2025-05-31"],
  ["ar", "الأسبوع الماضي", "2025-11-17/2025-11-23"],
  ["ar", "في مايو ٢٠٢٥", "2025-05-01/2025-05-31"],
  ["ar", "قبل ثلاثة أيام", "2025-11-27"],
  ["ar", "منذ يومين", "2025-11-28"],
  ["ar", "قبل ٢٠ مارس", "/2025-03-19"],
  ["vi", "tuần trước", "2025-11-17/2025-11-23"],
  ["vi", "tháng 5 năm 2025", "2025-05-01/2025-05-31"],
  ["vi", "3 ngày trước", "2025-11-27"],
  ["id", "minggu lalu", "2025-11-17/2025-11-23"],
  ["id", "tiga hari yang lalu", "2025-11-27"],
  ["zh-Hant", "上個月", "2025-10-01/2025-10-31"],
])("%s: %s", (_, phrase, expected) => {
  expect(isoRanges(findDates(phrase, Math.floor(askedAt / 86_400_000)))).toEqual([expected]);
});

test.each([
  ["Was habe ich am 3. März 2024 mit Anna gegessen?", "2024-03-03"],
  ["¿Qué hicimos la semana pasada en Madrid?", "2025-11-17/2025-11-23"],
  ["Qu'est-ce que nous avons mangé avant-hier soir ?", "2025-11-28"],
  ["Что мы делали в прошлом месяце?", "2025-10-01/2025-10-31"],
  ["我们上个月去了哪里？", "2025-10-01/2025-10-31"],
  ["先週の会議で何を決めましたか？", "2025-11-17/2025-11-23"],
  ["Wat hebben we vorige week besloten?", "2025-11-17/2025-11-23"],
])("the time in the question %j is found", (question, expected) => {
  expect(isoRanges(findDates(question, Math.floor(askedAt / 86_400_000)))).toEqual([expected]);
});

test.each([
  "Die Bank ist hier um die Ecke.",
  "Wo ist der Morgenmantel?",
  "天气怎么样？",
  "Où est le chien de Marcel ?",
  "¿Qué tal está Ana?",
])("%j names no time", (text) => {
  expect(findDates(text, Math.floor(askedAt / 86_400_000))).toEqual([]);
});
