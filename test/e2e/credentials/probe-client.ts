import { readFile } from "node:fs/promises";
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import { join } from "node:path";

/** The parts of a reply that could reveal data to a caller. */
export interface ProbeReply {
  /** Status, message and details of the call, as they were sent. */
  readonly outcome: string;
  readonly body: Buffer;
}

/** Sends gRPC calls as bytes over one TLS connection, so that a million calls take only minutes. */
export interface ProbeClient {
  /**
   * Sends a call.
   *
   * @param path such as `/vademecum.v1.MemoryProvider/Add`
   * @param body the messages with their prefixes
   * @param isEndless whether the reply has no end, so that only its beginning is read
   */
  call(
    path: string,
    body: Uint8Array,
    authorization: string | undefined,
    isEndless: boolean,
  ): Promise<ProbeReply>;
  close(): void;
}

const folder = join(import.meta.dirname, "..", "..", "fixtures", "tls");

/** Returns the path of a file among the certificates for tests. */
export function tlsFile(name: string): string {
  return join(folder, name);
}

/** Opens a connection to a gRPC listener with TLS, with or without a client certificate. */
export async function openProbeClient(grpcUrl: string, certified: boolean): Promise<ProbeClient> {
  const { port } = new URL(grpcUrl);
  const read = (name: string) => readFile(tlsFile(name));
  const session = connect(`https://localhost:${port}`, {
    ca: await read("cert.pem"),
    ...(certified && { cert: await read("client-cert.pem"), key: await read("client-key.pem") }),
  });
  return {
    call: async (path, body, authorization, isEndless) =>
      send(session, path, body, authorization, isEndless),
    close: () => session.destroy(),
  };
}

async function send(
  session: ClientHttp2Session,
  path: string,
  body: Uint8Array,
  authorization: string | undefined,
  isEndless: boolean,
): Promise<ProbeReply> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...(authorization !== undefined && { authorization }),
    });
    const headers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    let isCut = false;
    stream.on("response", (first) => Object.assign(headers, first));
    stream.on("trailers", (last: IncomingHttpHeaders) => Object.assign(headers, last));
    stream.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (!isEndless) return;
      isCut = true;
      stream.close();
    });
    stream.on("error", reject);
    stream.on("close", () => {
      const status = isCut ? "0" : String(headers["grpc-status"]);
      const details = String(headers["grpc-status-details-bin"] ?? "");
      const outcome = `${status} ${String(headers["grpc-message"] ?? "")} ${details}`;
      resolve({ outcome, body: Buffer.concat(chunks) });
    });
    stream.end(body);
  });
}
