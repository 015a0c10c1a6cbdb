import { once } from "node:events";
import { createServer } from "node:http2";

/** A stand-in for a server that refuses everything and keeps the headers of the last request. */
export async function startHeaderRecorder() {
  const sessions = new Set();
  const recorder = { address: "", headers: {}, close: () => {} };
  const server = createServer();
  server.on("session", (session) => sessions.add(session));
  server.on("stream", (stream, headers) => {
    recorder.headers = headers;
    stream.on("error", () => {});
    stream.respond({ ":status": 403 }, { endStream: true });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  recorder.address = `127.0.0.1:${server.address().port}`;
  recorder.close = () => {
    for (const session of sessions) session.destroy();
    server.close();
  };
  return recorder;
}
