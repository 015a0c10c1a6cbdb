import { expect, it } from "vitest";
import { attributeOf, startCollector } from "../harness/trace-collector.js";
import { adminOf, ann, ends, rangeOfAnn, sendTo, serve } from "./two-servers.js";

it("a forwarded call takes its trace and its request id along", async () => {
  const collector = await startCollector();
  const flags = { "otlp-endpoint": collector.url };
  const old = await serve({ ...flags, "trace-sample": "1" });
  const current = await serve({ ...flags, "trace-sample": "0" });
  await sendTo(adminOf(old), current.grpcUrl, rangeOfAnn);
  const reply = await fetch(`${old.httpUrl}/vademecum.v1.MemoryProvider/GetAll`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-request-id": "trip-9" },
    body: JSON.stringify({ namespace: ann }),
  });
  expect(reply.headers.get("x-request-id")).toBe("trip-9");
  // A server that stops sends what is left.
  for (const end of ends.splice(0).reverse()) await end();
  collector.stop();
  const calls = collector.spans.filter(
    (span) => attributeOf(span, "vademecum.request_id") === "trip-9",
  );
  const first = calls.find(({ parentSpanId }) => parentSpanId === undefined);
  const second = calls.find(({ parentSpanId }) => parentSpanId !== undefined);
  expect(calls).toHaveLength(2);
  expect(second).toMatchObject({ traceId: first?.traceId, parentSpanId: first?.spanId });
});
