import type { Language } from "../stop-words.js";

/**
 * Phrases for parts of an hour, and for halves of other things: `#` is the number, and the minutes
 * that follow are added to its hour.
 */
const phrasesByLanguage: Partial<Record<Language | "unspaced", string>> = {
  english:
    "half past # 30 | quarter past # 15 | quarter to # -15 | # and a half 30 | # and a quarter 15",
  german: "halb # -30 | viertel nach # 15 | viertel vor # -15 | dreiviertel # -15 | #einhalb 30",
  dutch: "half # -30 | kwart over # 15 | kwart voor # -15 | # en een half 30 | #ënhalf 30",
  swedish: "halv # -30 | kvart över # 15 | kvart i # -15 | # och en halv 30 | # och ett halvt 30",
  danish: "halv # -30 | kvart over # 15 | kvart i # -15 | # og en halv 30 | # og et halvt 30",
  norwegian: "halv # -30 | kvart over # 15 | kvart på # -15 | # og en halv 30 | # og et halvt 30",
  finnish:
    "puoli # -30 | varttia yli # 15 | vartin yli # 15 | varttia vaille # -15 | # ja puoli 30",
  hungarian: "fél # -30 | negyed # -45 | háromnegyed # -15 | # és fél 30",
  czech: "půl # -30 | čtvrt na # -45 | tři čtvrtě na # -15 | # a půl 30",
  polish: "wpół do # -30 | kwadrans po # 15 | za kwadrans # -15 | # i pół 30",
  russian: "половина # -30 | половине # -30 | пол# -30 | без четверти # -15 | # с половиной 30",
  ukrainian: "пів на # -30 | чверть на # -45 | за чверть # -15 | # з половиною 30",
  french:
    "# heures et demie 30 | # et demi 30 | # heures et quart 15 | # heures moins le quart -15",
  spanish: "# y media 30 | # y medio 30 | # y cuarto 15 | # menos cuarto -15",
  italian: "# e mezza 30 | # e mezzo 30 | # e un quarto 15 | # meno un quarto -15",
  portuguese: "# e meia 30 | # e meio 30 | # e um quarto 15 | um quarto para as # -15",
  romanian: "# și jumătate 30 | # și un sfert 15 | # fără un sfert -15",
  turkish: "# buçuk 30",
  indonesian: "setengah # -30 | # setengah 30",
  vietnamese: "# giờ rưỡi 30 | # rưỡi 30",
  greek: "# και μισή 30 | # και τέταρτο 15 | # παρά τέταρτο -15",
  arabic: "# والنصف 30 | # والربع 15 | # إلا ربعا -15",
  persian: "# و نیم 30 | # و ربع 15",
  hebrew: "# וחצי 30 | # ורבע 15",
  unspaced:
    "# 点半 30 | # 點半 30 | # 時半 30 | # 시 반 30 | # 시반 30 | # 点一刻 15 | # 点三刻 45",
};

/** Part of an hour in words, before or after the number of the hour. */
export interface ClockPhrase {
  /** Matches the phrase. Its group is the number, in figures or a word. */
  readonly pattern: RegExp;
  /** The longest word of the phrase. A text without it does not have the phrase. */
  readonly word: string;
  /** Minutes after the hour; below 0 before it. */
  readonly minutes: number;
  /** Whether the number comes first. Such a phrase may be of other things: "two and a half". */
  readonly isAfter: boolean;
}

/** Returns the phrases of languages for parts of an hour. */
export function clockPhrasesOf(languages: readonly Language[]): readonly ClockPhrase[] {
  return [...languages, "unspaced" as const].flatMap((language) =>
    (phrasesByLanguage[language]?.split(" | ") ?? []).map((written) => {
      const [, phrase = "", minutes] = /^(.*) (-?\d+)$/.exec(written) ?? [];
      const words = phrase.split(/[ #]/).sort((a, b) => b.length - a.length);
      const pattern = phrase
        .replaceAll(" ", String.raw`\s{0,2}`)
        .replace("#", String.raw`(\d{1,2}|\p{L}{2,16}?)`);
      const end = language === "unspaced" ? "" : String.raw`(?![\p{L}\p{N}])`;
      return {
        pattern: new RegExp(String.raw`(?<![\p{L}\p{N}])${pattern}${end}`, "giu"),
        word: words[0] ?? "",
        minutes: Number(minutes),
        isAfter: phrase.startsWith("#"),
      };
    }),
  );
}
