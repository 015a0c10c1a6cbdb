import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Address, formatAddress } from "../edge/address.js";
import type { Metrics } from "./metrics.js";

/** An open listener for metrics. */
export interface MetricsListener {
  /** `host:port` with the port that is open. */
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Serves the metrics at `/metrics` over HTTP.
 *
 * @throws Error of the system when the port cannot be opened
 */
export async function listenMetrics(
  { host, port }: Address,
  metrics: Pick<Metrics, "contentType" | "text">,
): Promise<MetricsListener> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const [path] = (request.url ?? "/").split("?", 1);
    if (path !== "/metrics") {
      response
        .writeHead(404, { "content-type": "text/plain" })
        .end("the metrics are at /metrics\n");
    } else if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
    } else {
      metrics.text().then(
        (text) => response.writeHead(200, { "content-type": metrics.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    }
  });
  server.maxConnections = 50;
  server.listen(port, host);
  await once(server, "listening");
  const bound = server.address() as AddressInfo;
  return {
    address: formatAddress({ host, port: bound.port }),
    async stop() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, "close");
    },
  };
}
