// Writes the words of languages for numbers, src/core/text/numbers/number-words.json, from the
// rules of the Unicode CLDR for spelling numbers (npm package cldr-rbnf 48.2.0):
//
//   npm pack cldr-rbnf && tar -xzf cldr-rbnf-*.tgz
//   node scripts/write-number-words.mjs package/rbnf
//
// Leaves out what the words of smaller numbers make together, such as "thirty-one".
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { importSource } from "./compile.mjs";

const cardinals = [
  ...Array.from({ length: 100 }, (_, i) => i),
  ...Array.from({ length: 9 }, (_, i) => 100 * (i + 1)),
  ...[105, ...Array.from({ length: 99 }, (_, i) => 101 + i)],
  ...[1000, 2000, 5000, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e9, 2e9, 5e9],
];
const ordinals = [...Array.from({ length: 31 }, (_, i) => i + 1), 40, 50, 60, 70, 80, 90, 100];
/** Rules for other uses, and for the cases of plural numbers, which count nothing. */
const unused =
  /year|financial|plural|large|alternate|essive|lative|instrumental|prepositional|_rbnf/;
const folder = process.argv[2] ?? "";

const { numberOfWord, readNumberLexicon, sumOf } = await importSource(
  "src/core/text/numbers/number-lexicon.ts",
);
const { languageTags } = await importSource("src/core/text/numbers/units.ts");
const tables = Object.entries(languageTags).map(([language, tag]) => [
  language,
  tableOf(readRules(tag.replace("nb", "no"))),
]);
const text = JSON.stringify(Object.fromEntries(tables), undefined, 2);
writeFileSync("src/core/text/numbers/number-words.json", `${text}\n`);

/**
 * Returns the table of a language.
 * @param {Rules} rules
 */
function tableOf(rules) {
  /** @type {Map<string, Set<string>>} */
  const groups = new Map();
  let isJoined = false;
  const table = () =>
    (isJoined ? "+|" : "") +
    [...groups].map(([meaning, entries]) => [meaning, ...entries].join(" ")).join("|");
  /** @type {(meaning: string, parts: readonly string[]) => void} */
  const add = (meaning, parts) => {
    const entry = parts.join("_");
    if (entry === "" || parts.length > 4) return;
    groups.set(meaning, (groups.get(meaning) ?? new Set()).add(entry));
  };
  const names = Object.keys(rules.sets).filter((name) => !unused.test(name));
  const all = names.filter((name) => /^%spellout-(?:numbering|cardinal)/.test(name));
  for (const name of all) {
    const { minus, decimals } = rules.sets[name] ?? {};
    add("-", partsOf(minus?.split(">")[0] ?? ""));
    if (/^<<[^=]*>>$/.test(decimals ?? "")) add(",", partsOf(decimals?.slice(2, -2) ?? ""));
  }
  for (const isOrdinal of [false, true])
    for (const value of isOrdinal ? ordinals : cardinals)
      for (const name of isOrdinal ? names.filter((one) => /^%spellout-ordinal/.test(one)) : all) {
        const text = rules.spell(name, value);
        if (text === undefined || /\d|\?/.test(text)) continue;
        addSpelled(text, value, isOrdinal);
      }
  return table();

  /**
   * @param {string} text
   * @param {number} value
   * @param {boolean} isOrdinal
   */
  function addSpelled(text, value, isOrdinal) {
    const lexicon = readNumberLexicon([table()]);
    const parts = partsOf(text);
    const words = parts.map((part) => numberOfWord(part, lexicon));
    const together = sumOf(words.map((word) => word ?? {}));
    const isMade = together?.value === value && (together.isOrdinal === true) === isOrdinal;
    if (/\p{L}\u00ad\p{L}/u.test(text) && isMade && words.length > 1) isJoined = true;
    if (isMade) return;
    const [first, second] = words;
    // Only words of one piece may be made in another way: "centotré".
    if (value > 105 && value < 200 && whole(text).length > 1) return;
    if (parts.length === 2 && second === undefined && !isOrdinal) {
      const unit = first?.value ?? 0;
      const scale = value / unit;
      if ([10, 100, 1000, 1e5, 1e6, 1e7, 1e9].includes(scale)) {
        add(scale === 10 ? "*10" : String(scale), parts.slice(1));
        return;
      }
    }
    const rest = words.slice(1).reduce((sum, word) => sum + (word?.value ?? 0), 0);
    if (first === undefined && words.lastIndexOf(undefined) === 0 && value - rest === 100) {
      add("100", parts.slice(0, 1));
      return;
    }
    const joint = words.indexOf(undefined);
    const others = words.filter((word) => word !== undefined);
    if (joint > 0 && joint < words.length - 1 && others.length === words.length - 1)
      if (sumOf(others)?.value === value && !isOrdinal) {
        add("&", parts.slice(joint, joint + 1));
        if (/\p{L}\u00ad\p{L}/u.test(text)) isJoined = true;
        return;
      }
    add(isOrdinal ? `${value}.` : String(value), text.includes("\u00ad") ? whole(text) : parts);
  }
}

/** @param {string} text */
function whole(text) {
  return partsOf(text.replaceAll("\u00ad", ""));
}

/**
 * Splits a spelled number at spaces, hyphens, and the places where words may be divided.
 * @param {string} text
 */
function partsOf(text) {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? []
  );
}

/** @typedef {{ base: number, divisor: number, body: string }} Rule */
/** @typedef {{ rules: Rule[], minus?: string, decimals?: string }} RuleSet */
/** @typedef {(set: string, n: number) => string | undefined} Spell */
/** @typedef {{ sets: Record<string, RuleSet>, spell: Spell }} Rules */

/**
 * Reads the rules of a language for spelling numbers (UTS #35, part 3, "Rule-Based Number
 * Formatting").
 * @param {string} tag
 * @returns {Rules}
 */
function readRules(tag) {
  /** @type {Record<string, RuleSet>} */
  const sets = {};
  /** @type {RuleSet} */
  let set = { rules: [] };
  for (const line of readFileSync(join(folder, `${tag}-SpelloutRules.txt`), "utf8").split("\n")) {
    const [, name] = /^(%.*):$/.exec(line) ?? [];
    if (name !== undefined) {
      set = { rules: [] };
      sets[name] = set;
    }
    const [, number, radix, back = "", body = ""] =
      /^(\d+)(?:\/(\d+))?(>*): '?(.*);$/.exec(line) ?? [];
    if (number !== undefined) {
      const base = Number(number);
      const step = Number(radix ?? 10);
      let exponent = -back.length;
      for (let power = step; power <= base; power *= step) exponent += 1;
      set.rules.push({ base, divisor: step ** exponent, body });
    }
    const [, minus] = /^-x: (.*);$/.exec(line) ?? [];
    if (minus !== undefined) set.minus = minus;
    const [, decimals] = /^x[.,]x: (.*);$/.exec(line) ?? [];
    if (decimals !== undefined) set.decimals = decimals;
  }
  return { sets, spell };

  /** @type {Spell} */
  function spell(name, n) {
    const rules = sets[name]?.rules ?? [];
    const rule = rules.findLast(({ base }) => base <= n);
    if (rule === undefined) return undefined;
    const [major, minor] = [Math.floor(n / rule.divisor), n % rule.divisor];
    /** @type {(body: string) => string} */
    const expand = (body) =>
      body.replace(
        /\[([^\]]*)\]|>(%[^>]*)?>|<(%[^<]*)?<|=(%[^=]*)=|\$\((cardinal|ordinal),(.*?)\)\$|=[#0,.]+=/g,
        (sign, optional, rest, whole, same, type, forms) => {
          if (optional !== undefined) return minor === 0 ? "" : expand(optional);
          if (sign.startsWith(">")) return spell(rest ?? name, minor) ?? "?";
          if (sign.startsWith("<")) return spell(whole ?? name, major) ?? "?";
          if (same !== undefined) return spell(same, n) ?? "?";
          if (type === undefined) return "?";
          const form = new Intl.PluralRules(tag, { type }).select(major);
          const found = new RegExp(String.raw`${form}\{(.*?)\}`).exec(forms);
          return found?.[1] ?? /other\{(.*?)\}/.exec(forms)?.[1] ?? "?";
        },
      );
    return expand(rule.body);
  }
}
