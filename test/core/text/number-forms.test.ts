import { describe, expect, test } from "vitest";
import { numberForms } from "../../../src/core/text/number-forms.js";

describe("the forms of numbers", () => {
  test.each([
    ["The deposit was 1,250.00 euros", ["1250"]],
    ["2.400,00 Euro", ["2400"]],
    ["4'800 francs and 1 250 000 euros", ["4800", "1250000", "1250000"]],
    ["1,250.50", ["1250.50"]],
    ["3.75 %", []],
    ["The bus leaves at 18:45", []],
    ["2.4.1", ["2.4.1"]],
    ["2026-12-01", ["2026-12-01", "20261201"]],
    ["+49 (30) 555-71234", ["493055571234"]],
    ["+49 30 5557 1234", ["493055571234"]],
    ["01701234567", []],
    ["0170 / 123 45 67", ["01701234567"]],
  ])("the numbers in %j are found in the forms in which search compares them", (text, forms) => {
    expect(numberForms(text)).toEqual(forms);
  });

  test("number forms are found in linear time", () => {
    expect(numberForms("1 ".repeat(30_000)).length).toBeGreaterThan(1_000);
    expect(numberForms("1".repeat(60_000))).toEqual([]);
  });
});
