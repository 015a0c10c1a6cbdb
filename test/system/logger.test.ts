import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createLogger, type LogLevel } from "../../src/system/logger.js";

/** Returns the lines that `write` logs at a level, parsed. */
function linesOf(
  level: LogLevel,
  write: (log: ReturnType<typeof createLogger>) => void,
): Record<string, unknown>[] {
  const lines: string[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  write(createLogger(level, output));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("the log", () => {
  it("each line of the log is a JSON object with the name of its level and an ISO time", () => {
    const [line] = linesOf("info", (log) => log.info({ namespaces: 3 }, "index loaded"));
    expect(line).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
      namespaces: 3,
      msg: "index loaded",
    });
  });

  it("the log leaves out lines below its level", () => {
    const lines = linesOf("warn", (log) => {
      log.info("quiet");
      log.warn("loud");
    });
    expect(lines.map(({ msg }) => msg)).toEqual(["loud"]);
  });

  it("the log shows where an error came from, and hides its message, which may quote a text", () => {
    const error = new Error("store failed", { cause: parseError('"my secret diary') });
    const [line] = linesOf("info", (log) => log.error({ err: error }, "call failed"));
    expect(JSON.stringify(line)).not.toMatch(/secret|diary/);
    expect(line?.["err"]).toMatchObject({ type: "Error", cause: { type: "SyntaxError" } });
    expect(JSON.stringify(line)).toContain("logger.test.ts");
  });

  it("the log shows the message of an error of the operating system, such as a full disk", () => {
    const error = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
    });
    const [line] = linesOf("info", (log) => log.error({ err: error }, "call failed"));
    expect(line?.["err"]).toMatchObject({
      code: "ENOSPC",
      message: "ENOSPC: no space left on device, write",
    });
  });

  it("the log accepts thrown values that are not errors", () => {
    const [line] = linesOf("info", (log) => log.error({ err: "my secret diary" }, "call failed"));
    expect(line?.["err"]).toEqual({ type: "string", at: [] });
  });
});

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
