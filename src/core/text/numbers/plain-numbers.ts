import { unspaced } from "../words.js";

const onlyAscii = /^\p{ASCII}*$/u;
const digit = /\p{Nd}/u;
const otherDigits = /(?![0-9])\p{Nd}/gu;
const vulgarFraction = /(?<=(\d)?)([¼-¾⅐-⅞])/gu;
/** Matches the places between figures and letters of a script without spaces. */
const figureBesideUnspaced = new RegExp(
  String.raw`(?<=${unspaced.source})(?=\d)|(?<=\d)(?=${unspaced.source})`,
  "gu",
);
/** Matches a Chinese numeral before a word that counts things, or in an ordinal. */
const hanNumeral =
  /第?[〇零一二三四五六七八九十百千万两兩]{1,12}(?=[个個只隻本张張条條位名次杯瓶块塊天年月岁歳人匹枚件双份章楼层号点點時时分])/gu;
const hanDigits = "〇一二三四五六七八九";
const hanScales: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000, 万: 10_000 };

/** Returns a text with its fractions, Chinese numerals and other digits in plain figures. */
export function plainNumbers(text: string): string {
  if (onlyAscii.test(text)) return text;
  return inAsciiDigits(text)
    .replace(vulgarFraction, (_, digit: string | undefined, sign: string) => {
      const plain = sign.normalize("NFKC").replace("⁄", "/");
      return digit === undefined ? plain : ` ${plain}`;
    })
    .normalize("NFKC")
    .replace(/ё/g, "е")
    .replace(hanNumeral, (numeral) => (numeral === "一" ? numeral : ` ${hanValue(numeral)} `))
    .replace(figureBesideUnspaced, " ");
}

/** Returns the value of a Chinese numeral. */
export function hanValue(numeral: string): number {
  let [total, digit] = [0, 0];
  for (const one of numeral
    .replace("第", "")
    .replace(/零/g, "〇")
    .replace(/[两兩]/g, "二")) {
    const scale = hanScales[one] ?? 1;
    if (scale === 1) digit = digit * 10 + hanDigits.indexOf(one);
    else {
      total = scale === 10_000 ? (total + digit) * scale : total + Math.max(digit, 1) * scale;
      digit = 0;
    }
  }
  return total + digit;
}

/** Writes the digits of every script as 0 to 9. Digits outside the basic plane stay. */
export function inAsciiDigits(text: string): string {
  return text.replace(otherDigits, (found) => {
    if (found.length > 1) return found;
    // The ten digits of a script follow each other, zero first.
    let zero = found.charCodeAt(0);
    while (zero > found.charCodeAt(0) - 9 && digit.test(String.fromCharCode(zero - 1))) zero--;
    return String((found.charCodeAt(0) - zero) % 10);
  });
}
