import { describe, expect, test } from "vitest";
import { languagesOfText } from "../../../src/core/text/languages.js";

describe("the language of a text in Latin script", () => {
  test.each([
    ["Trường đại học này được thành lập vào năm nào?", "vietnamese"],
    ["Ai là người đầu tiên đến đây?", "vietnamese"],
    ["Ce a fost găsit în Ținutul de Jos și unde este?", "romanian"],
    ["Bu şehir ne zaman kuruldu ve kim tarafından?", "turkish"],
    ["Où est la clé de la maison ?", "french"],
    ["¿Dónde está la llave de la casa?", "spanish"],
    ["Wo ist der Schlüssel von dem Haus?", "german"],
    ["Gdzie są klucze do tego domu?", "polish"],
  ])("'%s' is %s", (text, language) => {
    expect(languagesOfText(text).latin).toBe(language);
  });

  test("a text with names of other languages is English if it has more signs of English", () => {
    for (const text of ["Dvořák and Łukasz met on the bridge", "Ağrı is a city in Turkey"])
      expect(languagesOfText(text)).toMatchObject({ latin: "english", mayBeEnglish: true });
  });

  test("a text with letters of no known language has no language, and is not English", () => {
    for (const text of ["Đak čita knjigu ispod šljive", "Kas ir tā māja un kāpēc?"])
      expect(languagesOfText(text)).toMatchObject({ latin: undefined, mayBeEnglish: false });
    expect(languagesOfText("Blue tyres")).toMatchObject({ latin: undefined, mayBeEnglish: true });
  });

  test("code has no language, or is English", () => {
    for (const code of [
      "c.once.Do(func() { c.isClosed.Store(true); err = c.conn.Close(); close(c.closed) })",
      "const t = s.t; return t + s.length * s.weight;",
      "await adapter.search(id, user_id=id, agent_id=id)",
    ])
      expect(languagesOfText(code).mayBeEnglish, code).toBe(true);
  });
});
