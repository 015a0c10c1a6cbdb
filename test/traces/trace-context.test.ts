import { expect, it } from "vitest";
import { formatTraceparent, parseTraceparent } from "../../src/traces/trace-context.js";
import { createTracer } from "../../src/traces/tracer.js";

const header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

it("a traceparent is read and written as the W3C defines it", () => {
  const context = parseTraceparent(header);
  expect(context).toEqual({
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    spanId: "00f067aa0ba902b7",
    isSampled: true,
  });
  expect(context && formatTraceparent(context)).toBe(header);
  expect(parseTraceparent(`${header.slice(0, -2)}02`)?.isSampled).toBe(false);
  expect(parseTraceparent(`01${header.slice(2)}-more`)?.isSampled).toBe(true);
});

it.each([
  "",
  "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
  "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
  "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
])("the traceparent %j is ignored", (text) => {
  expect(parseTraceparent(text)).toBeUndefined();
});

it("of calls without traceparent, the share of the setting is traced", () => {
  let number = 0;
  const random = () => (number++ % 100) / 100;
  const tracer = createTracer({
    exporter: { add: () => undefined },
    ratio: 0.01,
    storeId: "s",
    random,
  });
  const traced = Array.from({ length: 1_000 }, () => tracer.begin(undefined)).filter(Boolean);
  expect(traced).toHaveLength(10);
  expect(tracer.begin(header)?.traceparent).toMatch(
    /^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-01$/,
  );
});
