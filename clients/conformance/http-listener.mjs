import { once } from "node:events";
import { createServer } from "node:http";

/** Starts a web server that is no Vademecum server: it speaks HTTP/1.1 and has no pages. */
export async function startHttpListener() {
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
