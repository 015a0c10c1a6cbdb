import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect } from "vitest";

/** A span in the JSON of OTLP. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: string };
  }[];
  readonly status: { readonly code?: number };
}

/** A collector that takes traces by OTLP over HTTP, in JSON. */
export async function startCollector() {
  const spans: OtlpSpan[] = [];
  const texts: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as {
      resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
    };
    expect(request.url).toBe("/v1/traces");
    texts.push(JSON.stringify(body));
    for (const { scopeSpans } of body.resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, texts, stop: () => void server.close() };
}

export type Collector = Awaited<ReturnType<typeof startCollector>>;

/** Returns an attribute of a span as text. */
export function attributeOf({ attributes }: OtlpSpan, name: string): string | undefined {
  const { value } = attributes.find(({ key }) => key === name) ?? {};
  return value?.stringValue ?? value?.intValue;
}
