import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { printLine } from "../../src/cli/command-io.js";
import { indentLines, printable, printableLine } from "../../src/cli/printable.js";

describe("printable", () => {
  it.each([
    ["an override of the direction", "a\u202eb", "a\\u202eb"],
    ["an isolate", "\u2066x\u2069", "\\u2066x\\u2069"],
    ["a zero-width space", "pay\u200bpal", "pay\\u200bpal"],
    ["a zero-width joiner in a Latin word", "pay\u200dpal", "pay\\u200dpal"],
    ["a soft hyphen", "pay\u00adpal", "pay\\u00adpal"],
    ["a line separator", "a\u2028b", "a\\u2028b"],
    ["a Hangul filler", "a\u3164", "a\\u3164"],
    ["invisible tags", "a\u{e0041}", "a\\u{e0041}"],
    ["an escape sequence", "\u001b[2J", "\\u001b[2J"],
    ["a carriage return", "a\rb", "a\\u000db"],
  ])("%s is shown as an escape", (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it.each([
    ["lines and tabs", "a\n\tb"],
    ["emoji of several characters", "👨‍👩‍👧 ❤️ 1️⃣"],
    ["a joiner inside a Persian word", "می\u200cخواهم"],
    ["a joiner inside a Hindi word", "क्\u200dष"],
  ])("%s stay as they are", (_, text) => {
    expect(printable(text)).toBe(text);
  });
});

it("an id or a name is shown in one line", () => {
  expect(printableLine("ann\n  by: bob\u2028\u202e")).toBe("ann\\n  by: bob\\u2028\\u202e");
});

it("the further lines of a text are indented, whatever ends them", () => {
  expect(indentLines("a\nb\r\nc\u2029d")).toBe("a\n    b\n    c\n    d");
});

it("a terminal gets no control character of a line that no command has made printable", async () => {
  const stored = '{"a":"\u009b31m \u202e \u001b]0;x\u0007"}';
  const written = async (isTTY: boolean): Promise<string> => {
    const chunks: string[] = [];
    const write = (chunk: Buffer, _: unknown, done: () => void): void => {
      chunks.push(chunk.toString());
      done();
    };
    const output = Object.assign(new Writable({ write }), { isTTY });
    await printLine(output, `\u001b[1mbold\u001b[0m ${stored}`);
    return chunks.join("");
  };
  expect(await written(true)).toBe(
    '\u001b[1mbold\u001b[0m {"a":"\\u009b31m \\u202e \\u001b]0;x\\u0007"}\n',
  );
  expect(await written(false)).toBe(`\u001b[1mbold\u001b[0m ${stored}\n`);
});
