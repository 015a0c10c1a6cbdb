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
/2025-03-14 | earlier than 15 March | früher als am 15. März | plus tôt que le 15 mars | antes del 15 de marzo | prima del 15 marzo | antes de 15 de março | eerder dan 15 maart | раньше 15 марта | 早于3月15日 | 3月15日より前
2025-03-16/ | later than 15 March | später als am 15. März | plus tard que le 15 mars | más tarde del 15 de marzo | più tardi del 15 marzo | mais tarde do que 15 de março | later dan 15 maart | позже 15 марта | 晚于3月15日 | 3月15日より後
/2025-03-15 | no later than 15 March | spätestens am 15. März | au plus tard le 15 mars | a más tardar el 15 de marzo | non più tardi del 15 marzo | o mais tardar em 15 de março | niet later dan 15 maart | не позднее 15 марта | 不晚于3月15日 | 遅くとも3月15日まで
2025-03-15/ | no earlier than 15 March | frühestens am 15. März | au plus tôt le 15 mars | no antes del 15 de marzo | non prima del 15 marzo | não antes de 15 de março | niet eerder dan 15 maart | не раньше 15 марта | 不早于3月15日 | 3月15日以降
/2025-03-15 | on or before 15 March | am oder vor dem 15. März | le 15 mars ou avant | el 15 de marzo o antes | il 15 marzo o prima | em ou antes de 15 de março | op of voor 15 maart | - | - | -
2025-03-15/ | on or after 15 March | am oder nach dem 15. März | le 15 mars ou après | el 15 de marzo o después | il 15 marzo o dopo | em ou depois de 15 de março | op of na 15 maart | - | - | -
2024-03-10/2024-03-20 | between 20 March 2024 and 10 March 2024 | zwischen dem 20. März 2024 und dem 10. März 2024 | entre le 20 mars 2024 et le 10 mars 2024 | entre el 20 de marzo de 2024 y el 10 de marzo de 2024 | tra il 20 marzo 2024 e il 10 marzo 2024 | - | tussen 20 maart 2024 en 10 maart 2024 | между 20 марта 2024 и 10 марта 2024 | 2024年3月20日到2024年3月10日 | -
03-10/03-20 | between 20 March and 10 March | zwischen dem 20. März und dem 10. März | entre le 20 mars et le 10 mars | entre el 20 de marzo y el 10 de marzo | tra il 20 marzo e il 10 marzo | entre 20 de março e 10 de março | tussen 20 maart en 10 maart | между 20 марта и 10 марта | 3月20日到3月10日 | 3月20日から3月10日まで
12-20/01-10 | between 20 December and 10 January | zwischen dem 20. Dezember und dem 10. Januar | entre le 20 décembre et le 10 janvier | entre el 20 de diciembre y el 10 de enero | tra il 20 dicembre e il 10 gennaio | - | tussen 20 december en 10 januari | между 20 декабря и 10 января | 12月20日到1月10日 | -
2024-11-29/2025-11-29 2024-11-30/2025-11-30 2024-12-01/2025-12-01 | less than a year ago | vor weniger als einem Jahr | il y a moins d'un an | hace menos de un año | meno di un anno fa | há menos de um ano | minder dan een jaar geleden | менее года назад | 不到一年前 | -
/2024-11-28 /2024-11-29 /2024-11-30 | more than a year ago | vor mehr als einem Jahr | il y a plus d'un an | hace más de un año | più di un anno fa | há mais de um ano | meer dan een jaar geleden | больше года назад | 超过一年前 | 1年以上前
/2024-11-28 /2024-11-29 /2024-11-30 | over a year ago | vor über einem Jahr | - | - | oltre un anno fa | - | - | свыше года назад | 一年多前 | -
/2025-03-31 | by the end of March | bis Ende März | d'ici la fin mars | hasta finales de marzo | entro la fine di marzo | até o final de março | tot eind maart | до конца марта | - | -
/2024-03-31 | before the end of March 2024 | vor Ende März 2024 | avant la fin mars 2024 | antes del final de marzo de 2024 | prima della fine di marzo 2024 | antes do fim de março de 2024 | voor eind maart 2024 | - | - | -
2024-03-01/ | since the beginning of March 2024 | seit Anfang März 2024 | depuis le début mars 2024 | desde principios de marzo de 2024 | - | desde o início de março de 2024 | sinds begin maart 2024 | с начала марта 2024 | - | -
/2025-12-07 /2025-12-07 /2025-12-14 | by the end of next week | bis Ende nächster Woche | - | - | - | - | - | - | - | -
2025-11-13/2025-11-17 2025-11-14/2025-11-18 2025-11-15/2025-11-19 | a fortnight ago | - | - | - | - | - | - | - | - | -
2025-11-17 | the Monday before last | - | - | - | - | - | - | - | - | -
2025-12-08 2025-12-08 2025-12-15 | the Monday after next | - | - | - | - | - | - | - | - | -
2025-03-08/2025-03-14 | in the week before 15 March | in der Woche vor dem 15. März | dans la semaine précédant le 15 mars | en la semana anterior al 15 de marzo | nella settimana prima del 15 marzo | na semana antes de 15 de março | in de week voor 15 maart | на неделе перед 15 марта | 3月15日前一周 | 3月15日の前の週
2025-03-01/2025-03-14 | in the two weeks before 15 March | in den zwei Wochen vor dem 15. März | dans les deux semaines avant le 15 mars | en las dos semanas antes del 15 de marzo | nelle due settimane prima del 15 marzo | nas duas semanas antes de 15 de março | in de twee weken voor 15 maart | - | 3月15日前两周 | -
2025-07-01/2025-09-30 | in the third quarter of 2025 | im dritten Quartal 2025 | au troisième trimestre 2025 | en el tercer trimestre de 2025 | nel terzo trimestre 2025 | no terceiro trimestre de 2025 | in het derde kwartaal van 2025 | в третьем квартале 2025 года | 2025年第三季度 | 2025年第3四半期
2025-07-01/2025-09-30 | in the 3rd quarter of 2025 | im 3. Quartal 2025 | au 3e trimestre 2025 | en el 3er trimestre de 2025 | nel 3º trimestre 2025 | durante o 3º trimestre de 2025 | in het 3e kwartaal van 2025 | в 3-м квартале 2025 года | 2025年第3季度 | -
2025-07-01/2025-09-30 | in Q3 2025 | Q3/2025 | T3 2025 | T3 2025 | Q3 2025 | 3T25 | Q3 2025 | - | 2025 Q3 | 2025-Q3
2025-07-01/2025-09-30 | last quarter | letztes Quartal | le trimestre dernier | el trimestre pasado | il trimestre scorso | no trimestre passado | vorig kwartaal | в прошлом квартале | - | -
2025-04-01/ | since Q2 2025 | seit dem zweiten Quartal 2025 | depuis le deuxième trimestre 2025 | desde el segundo trimestre de 2025 | dal secondo trimestre 2025 | desde o segundo trimestre de 2025 | sinds het tweede kwartaal van 2025 | - | - | -
2025-01-01/2025-09-30 | from Q1 to Q3 2025 | von Q1 bis Q3 2025 | - | - | - | - | - | - | - | -
2025-10-01/2025-12-31 | the last quarter of 2025 | - | - | - | - | - | - | - | - | -
2025-03-17/2025-03-23 | in week 12 of 2025 | in KW 12 2025 | semaine 12 de 2025 | en la semana 12 de 2025 | nella settimana 12 del 2025 | na semana 12 de 2025 | in week 12 van 2025 | - | 2025年第12周 | 2025-W12
2025-03-17/2025-03-23 | in the 12th week of 2025 | in der 12. Woche 2025 | la 12e semaine de 2025 | - | - | - | - | - | - | -
2024-12-30/2025-01-05 | week 1 of 2025 | Kalenderwoche 1 2025 | - | - | - | - | - | - | - | -
2020-12-28/2021-01-03 | week 53 of 2020 | KW 53/2020 | - | - | - | - | - | - | - | -
2025-01-01/2025-06-30 | in the first half of 2025 | im ersten Halbjahr 2025 | au premier semestre 2025 | en el primer semestre de 2025 | nel primo semestre 2025 | no primeiro semestre de 2025 | in de eerste helft van 2025 | в первом полугодии 2025 года | - | -
2024-07-01/2024-12-31 | the second half of last year | H2 2024 | S2 2024 | segundo semestre de 2024 | secondo semestre 2024 | segundo semestre de 2024 | tweede helft van 2024 | - | - | -
2025-05-16/2025-05-31 | in the second half of May 2025 | - | - | - | - | - | - | - | - | -
2025-05-03/2025-05-04 | the weekend of 4 May 2025 | am Wochenende vom 4. Mai 2025 | le week-end du 4 mai 2025 | el fin de semana del 4 de mayo de 2025 | il fine settimana del 4 maggio 2025 | no fim de semana de 4 de maio de 2025 | in het weekend van 4 mei 2025 | - | - | -
2025-04-05/2025-04-09 | between April 9 and April 5, 2025 | zwischen dem 9. April und dem 5. April 2025 | entre le 9 avril et le 5 avril 2025 | entre el 9 de abril y el 5 de abril de 2025 | tra il 9 aprile e il 5 aprile 2025 | entre 9 de abril e 5 de abril de 2025 | tussen 9 april en 5 april 2025 | между 9 апреля и 5 апреля 2025 | - | -
2025-04-05/2025-04-09 | between 9 and 5 April 2025 | between April 9, 2025 and April 5 | - | - | - | - | - | - | - | -
2024-12-20/2025-01-10 | between December 20 and January 10, 2025 | - | - | - | - | - | - | - | - | -
1990-01-01/1999-12-31 | in the 1990s | in den 1990er Jahren | - | - | - | - | - | в 1990-х годах | - | -
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
  ["sv", "senare än 15 mars", "2025-03-16/"],
  ["sv", "senast den 15 mars", "/2025-03-15"],
  ["sv", "för mindre än ett år sedan", "2024-11-30/2025-11-30"],
  ["fi", "viimeistään 15. maaliskuuta", "/2025-03-15"],
  ["fi", "yli vuosi sitten", "/2024-11-29"],
  ["uk", "не пізніше 15 березня", "/2025-03-15"],
  ["uk", "більше року тому", "/2024-11-29"],
  ["pl", "wcześniej niż 15 marca", "/2025-03-14"],
  ["pl", "ponad rok temu", "/2024-11-29"],
  ["vi", "không muộn hơn 15 tháng 3", "/2025-03-15"],
  ["vi", "hơn một năm trước", "/2024-11-29"],
  ["id", "paling lambat 15 maret", "/2025-03-15"],
  ["id", "kurang dari satu tahun lalu", "2024-11-30/2025-11-30"],
  ["ar", "منذ أقل من سنة", "2024-11-30/2025-11-30"],
  ["ar", "قبل أكثر من سنة", "/2024-11-29"],
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
  ["the 3rd, 4th and 5th of May", ["05-03", "05-04", "05-05"]],
  ["May 3rd, 4th, and 5th", ["05-03", "05-04", "05-05"]],
  ["am 3., 4. und 5. Mai 2025", ["2025-05-03", "2025-05-04", "2025-05-05"]],
  ["les 3, 4 et 5 mai", ["05-03", "05-04", "05-05"]],
  ["los días 3, 4 y 5 de mayo", ["05-03", "05-04", "05-05"]],
  ["il 3, 4 e 5 maggio", ["05-03", "05-04", "05-05"]],
  ["op 3, 4 en 5 mei", ["05-03", "05-04", "05-05"]],
  ["3, 4 и 5 мая", ["05-03", "05-04", "05-05"]],
  ["5月3日、4日和5日", ["05-03", "05-04", "05-05"]],
  ["On May 3, 14 people came", ["05-03"]],
  ["room 3, 5 May", ["05-05"]],
])("the list of days in %j is read", (phrase, expected) => {
  expect(isoRanges(findDates(phrase, Math.floor(askedAt / 86_400_000)))).toEqual(expected);
});

test.each([
  ["in KW 12", "2025-03-17/2025-03-23"],
  ["in Q3", "07-01/09-30"],
  ["Version vom 3.4.2025", "2025-04-03"],
  ["am 3.4.2025", "2025-04-03"],
])("%j is a date", (phrase, expected) => {
  expect(isoRanges(findDates(phrase, Math.floor(askedAt / 86_400_000)))).toEqual([expected]);
});

test.each([
  ...["version 3.4.2025", "v3.4.2025", "v. 3.4.2025", "build 1.2.2024", "release 1.2.2024"],
  ...["versions 3.4.2025 and 3.5.2025", "3.4.2025-rc1", "Version 3.4.2025", "versión 3.4.2025"],
  ...["§ 3.4.2025", "§3.4.2025", "section 3.4.2025", "the server at 10.1.20.24", "版本3.4.2025"],
  ...["fiscal year 2025", "in fiscal 2025", "FY 2025", "FY2025", "Q3 of fiscal 2025"],
  ...["the third quarter of fiscal year 2025", "Geschäftsjahr 2025", "l'exercice 2025"],
  ...["the third quarter of the game", "week 3 of the course", "terminal T3", "H1", "w12"],
  ...["at quarter past three", "half past nine", "a quarter of the cake", "Q5 2"],
  "Die Bank ist hier um die Ecke.",
  "Wo ist der Morgenmantel?",
  "天气怎么样？",
  "I am over a week late, and two weeks over budget.",
  "She is under 18 and has at least two cats.",
  "Où est le chien de Marcel ?",
  "¿Qué tal está Ana?",
  "We met half a year ago.",
])("%j names no time", (text) => {
  expect(findDates(text, Math.floor(askedAt / 86_400_000))).toEqual([]);
});
