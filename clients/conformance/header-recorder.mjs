import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";

/**
 * Starts a stand-in for a server's listener, `grpc` (HTTP/2) or `http` (HTTP/1.1). It refuses every
 * call and keeps the headers of the last refused call. It answers CORS preflights.
 */
export async function startHeaderRecorder(listener) {
  const connections = new Set();
  const recorder = { address: "", headers: {}, close: () => {} };
  const server = (listener === "grpc" ? createHttp2Server : createHttpServer)(
    ({ method, headers }, response) => {
      response.setHeader("access-control-allow-origin", "*");
      if (method === "OPTIONS")
        return response
          .writeHead(204, { "access-control-allow-headers": "*, authorization" })
          .end();
      recorder.headers = headers;
      return response.writeHead(403).end();
    },
  );
  server.on(listener === "grpc" ? "session" : "connection", (connection) =>
    connections.add(connection),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  recorder.address = `127.0.0.1:${server.address().port}`;
  recorder.close = () => {
    for (const connection of connections) connection.destroy();
    server.close();
  };
  return recorder;
}
