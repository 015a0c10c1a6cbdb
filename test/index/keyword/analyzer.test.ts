import { describe, expect, test } from "vitest";
import type { Language } from "../../../src/core/text/stop-words.js";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";

const analyzer = createAnalyzer();

/** Returns those terms of a memory's content that count towards the length of the memory. */
const indexTerms = (content: string) => analyzer.indexTerms({ content, tags: [] }).terms;

/** Returns the first term of each word of a query. */
const analyze = (query: string) => analyzer.queryTerms(query).map(({ terms }) => terms[0]?.term);

describe("index terms", () => {
  test("index terms are the stems of all words except stop words, including repeated words", () => {
    expect(analyze("Where did Ann's sisters go rowing? They row in rowing boats!")).toEqual([
      "ann",
      "sister",
      "go",
      "row",
      "row",
      "row",
      "boat",
    ]);
  });

  test("index terms are the same with and without accents", () => {
    expect(analyze("Zoë met José in the CAFÉ")).toEqual(analyze("Zoe met Jose in the cafe"));
    expect(analyze("ёлка")).toEqual(analyze("елка"));
    expect(analyze("שָׁלוֹם")).toEqual(analyze("שלום"));
  });

  test("index terms are the same for all spellings of a word in its language", () => {
    expect(analyze("Großvater STRASSE")).toEqual(analyze("Grossvater straße"));
    expect(analyze("مَوْعِد القـطـار مدرسة أختي")).toEqual(analyze("موعد القطار مدرسه اختي"));
    expect(analyze("ｹﾞｰﾄ ＡＢＣ １２")).toEqual(analyze("ゲート abc 12"));
    expect(analyze("ـــ")).toEqual([]);
  });

  test("index terms include single Chinese characters, which do not add to the length of a memory", () => {
    const { terms, extras, pairCount } = analyzer.indexTerms({ content: "黒い猫 ねこ", tags: [] });
    expect({ terms, extras }).toEqual({ terms: ["黒い", "い猫", "ねこ"], extras: ["黒", "猫"] });
    expect(pairCount).toBe(2);
    expect(analyze("猫 我喜欢")).toEqual(["猫", "我喜", "喜欢", "我", "喜", "欢"]);
  });

  test("index terms of a text without Chinese are the same in a memory and in a query", () => {
    for (const text of ["Ann rows", "커피를 마셔요", "ผมชอบกาแฟ", "Zoë прочитала"])
      expect(indexTerms(text)).toEqual(analyze(text));
  });

  test("index terms of languages without a stemmer are not stemmed", () => {
    expect(analyze("한국어 שָׁלוֹם კატები")).toEqual(["한국", "국어", "שלום", "კატები"]);
  });

  test("index terms of an emoji are the same in a memory and in a query", () => {
    expect(indexTerms("The party 🎉🥳 tonight")).toEqual(["parti", "🎉", "🥳", "tonight"]);
    expect(analyze("🥳")).toEqual(["🥳"]);
  });

  test.each([
    "Where did Ann's sisters go rowing? IT Will help maxRetryCount 1,250.00",
    "El gato come pescado en la cocina",
    "Zoë прочитала «Войну и мир»; 黒い猫 ねこ 🎉",
    "我喜欢".repeat(683),
  ])("index terms do not depend on an earlier search for the same text: %.30s", (content) => {
    const memory = { content, tags: ["Red_Wine"], kind: "note" };
    const expected = createAnalyzer().indexTerms(memory);
    const other = createAnalyzer();
    expect(other.queryTerms(content, [], true)).toEqual(createAnalyzer().queryTerms(content));
    expect(other.indexTerms(memory)).toEqual(expected);
    expect(other.indexTerms(memory)).toEqual(expected);
  });

  test("index terms do not depend on texts analysed before", () => {
    const expected = analyze("Interesting organisations and their 3rd committees");
    for (let i = 0; i < 40_000; i++) analyze(`word${i}`);
    expect(analyze("Interesting organisations and their 3rd committees")).toEqual(expected);
  });
});

describe("stop words", () => {
  const extras = (content: string) => analyzer.indexTerms({ content, tags: [] }).extras;

  test("stop words do not count towards the length of a memory", () => {
    expect(indexTerms("It may rain on us")).toEqual(["rain"]);
    expect(extras("It may rain on us")).toEqual(["^it", "~may", "~on", "~us"]);
  });

  test("a stop word that is written like a name counts as a word", () => {
    expect(indexTerms("Ada works in IT with May and Will")).toEqual([
      "ada",
      "work",
      "it",
      "may",
      "will",
    ]);
    expect(indexTerms("US visa")).toEqual(["us", "visa"]);
    expect(indexTerms("vitamin D and vitamin a")).toEqual(["vitamin", "d", "vitamin"]);
  });

  test("a stop word may be a name at the start of a sentence", () => {
    expect(extras("Will sings. May dances")).toEqual(["^will", "^may"]);
  });

  test("a stop word is no name in a text of capitals", () => {
    expect(indexTerms("IT WILL RAIN")).toEqual(["rain"]);
  });

  test("a contraction of stop words leaves no term", () => {
    const { terms, extras } = analyzer.indexTerms({
      content: "I don't think it's Ann’s",
      tags: [],
    });
    expect({ terms, extras }).toEqual({ terms: ["think", "ann"], extras: ["~i", "~it"] });
  });

  test("stop words of a query count only if the query has no other words", () => {
    expect(analyze("what did she do with the boat")).toEqual(["boat"]);
    expect(analyze("to be or not to be")).toEqual(["to", "be", "or", "not", "to", "be"]);
    expect(analyze("IT")).toEqual(["it"]);
  });

  test("a stop word of a query counts as a name only if a memory has the name", () => {
    const query = analyzer.queryTerms("who lives in the US?");
    expect(query).toEqual([
      { terms: [{ term: "live", weight: 1 }], word: "lives" },
      {
        terms: [
          { term: "us", weight: 1 },
          { term: "^us", weight: 0.09 },
        ],
        fallback: [],
      },
    ]);
    expect(analyze("Who is May?")).toEqual(["may"]);
  });
});

describe("identifiers", () => {
  const allTerms = (content: string) => {
    const { terms, extras } = analyzer.indexTerms({ content, tags: [] });
    return [...terms, ...extras];
  };

  test("identifiers are indexed whole and by their words, in each spelling", () => {
    const expected = ["max", "retri", "count", "maxretrycount"];
    for (const spelling of [
      "maxRetryCount",
      "MAX_RETRY_COUNT",
      "max-retry-count",
      "max.retry.count",
    ])
      expect(allTerms(spelling), spelling).toEqual(expected);
    expect(allTerms("XMLHttpRequest")).toEqual(["xml", "http", "request", "xmlhttprequest"]);
    expect(allTerms("InvoiceMailer.sendReminder")).toEqual([
      ...["invoic", "mailer", "send", "remind"],
      ...["invoicemailersendremind", "invoicemail", "sendremind"],
    ]);
  });

  test("plurals of acronyms, numbers with dots, and long chains of parts are no identifiers", () => {
    expect(allTerms("URLs")).toEqual(["url"]);
    expect(allTerms("v2.4")).toEqual(["v2", "4"]);
    expect(allTerms("a-b-c-d-e-f-g-h-i-j")).not.toContain("abcdefghij");
  });

  test("a camelCase identifier is searched for as a whole, or by its words if no memory has the whole", () => {
    const third = 0.6 / 3;
    const words = ["max", "retri", "count"];
    expect(analyzer.queryTerms("maxRetryCount")).toEqual([
      {
        terms: [{ term: "maxretrycount", weight: 1 }],
        related: words.map((term) => ({ term, weight: third })),
        fallback: words.map((term, at) => ({
          terms: [{ term, weight: 1 }],
          word: ["max", "retry", "count"][at],
        })),
      },
    ]);
  });
});

test("an identifier with hyphens is searched for by its words, and as a whole if a memory has the whole", () => {
  expect(analyzer.queryTerms("max-count")).toEqual([
    { terms: [{ term: "max", weight: 1 }], word: "max" },
    { terms: [{ term: "count", weight: 1 }], word: "count" },
    { terms: [{ term: "maxcount", weight: 1 }], fallback: [] },
  ]);
});

test("tags and the kind of a memory are terms that do not count towards its length", () => {
  const memory = { content: "a light red", tags: ["burgundy", "q3-2025"], kind: "tasting_note" };
  expect(analyzer.indexTerms(memory)).toEqual({
    words: ["light", "red"],
    terms: ["light", "red"],
    pairCount: 0,
    extras: ["~a", "burgundi", "q3", "2025", "q32025", "tast", "note", "tastingnot"],
    language: "english",
  });
});

describe("terms in other languages", () => {
  test.each([
    ["German", "Die Katzen schlafen auf den Sofas", "die Katze auf dem Sofa"],
    ["German umlauts", "Die Häuser am Ufer sind neu", "Das Haus ist am Ufer"],
    ["French", "Les chevaux de la voisine sont dans le pré", "où est le cheval de la voisine ?"],
    ["Spanish", "Las vecinas nuevas son muy simpáticas", "¿cómo es el vecino nuevo?"],
    ["Italian", "I gatti della nonna sono neri", "dove è il gatto della nonna?"],
    ["Dutch", "De boeken zijn van mijn zus", "waar is het boek van de zus?"],
    ["Hungarian", "A házak és a kertek nem ingyen vannak", "hol van a ház és a kert?"],
    ["Turkish", "Bu kitaplar çok güzel ve ucuz", "Bu kitap ne kadar ucuz?"],
    ["Russian", "Эту книгу я вернула", "где книга?"],
    ["Ukrainian", "Я читаю книги", "де моя книга? її"],
    ["Arabic", "أشرب القهوة بدون سكر", "قهوة"],
    ["Hebrew", "אני שותה את הקפה בלי סוכר", "קפה"],
    ["Vietnamese without accents", "Chị ấy uống cà phê mỗi sáng", "ca phe"],
    ["Hindi", "मेरे लड़के स्कूल में हैं", "लड़का कहाँ है"],
  ])("a query finds another form of a word in a memory: %s", (_, memory, query) => {
    const { terms, extras } = analyzer.indexTerms({ content: memory, tags: [] });
    const shared = analyzer
      .queryTerms(query)
      .filter((word) => word.terms.some(({ term }) => [...terms, ...extras].includes(term)));
    expect(shared.length).toBeGreaterThan(0);
  });

  test("Vietnamese words that differ only by accents have different terms", () => {
    expect(indexTerms("Tôi có một con bò và những quả bơ")).toEqual(["con", "bò", "quả", "bơ"]);
    expect(analyzer.queryTerms("quả bơ của tôi").at(-1)?.terms).toEqual([
      { term: "bơ", weight: 1 },
      { term: "bo", weight: 0.3 },
    ]);
  });

  test("terms exclude the stop words of the text's language", () => {
    expect(indexTerms("Das Haus ist von meiner Schwester")).toEqual(["haus", "schwest"]);
    expect(indexTerms("où est l'hôpital de la ville ?")).toEqual(["hopital", "vill"]);
  });

  test("terms have English stems if the language of the memory cannot be detected", () => {
    expect(indexTerms("Blue tyres")).toEqual(["blue", "tyre"]);
    expect(indexTerms("Ben Kim Ada Mia")).toEqual(["ben", "kim", "ada", "mia"]);
  });

  test("a query whose language cannot be detected gets stems of the languages of the namespace", () => {
    const terms = (languages: readonly Language[]) =>
      analyzer.queryTerms("Büchern", languages).map((word) => word.terms);
    expect(terms([])).toEqual([[{ term: "buchern", weight: 1 }]]);
    expect(terms(["german"])).toEqual([
      [
        { term: "buch", weight: 1 },
        { term: "buchern", weight: 1 },
      ],
    ]);
  });
});

test("a number is found whatever separates its groups of digits", () => {
  for (const [memory, query] of [
    ["The deposit was 1,250.00 euros", "1250"],
    ["She paid 4800 for the piano", "4,800"],
    ["The clinic: +49 30 5557 1234", "+49 (30) 555-71234"],
    ["Call 01701234567", "0170 123 45 67"],
  ] as const) {
    const { terms, extras } = analyzer.indexTerms({ content: memory, tags: [] });
    const found = [...terms, ...extras];
    const whole = analyzer.queryTerms(query).at(-1)?.terms[0]?.term ?? "";
    expect(found, query).toContain(whole);
  }
});
