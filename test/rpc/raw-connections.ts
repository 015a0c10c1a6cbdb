import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { http2Greeting } from "./raw-http2.js";

/** The path of a unary call that every server answers. */
export const checkPath = "/grpc.health.v1.Health/Check";

/** How long a test waits for an event that the server causes by itself. */
export const patient = { timeout: 60_000 };

/**
 * Opens a connection from the address `from`. Its client reads and drops what the server sends. The
 * connection ends with the test.
 */
export async function openSocket(address: string, from = "127.0.0.1"): Promise<Socket> {
  const [host = "", port] = address.split(":");
  const socket = connect({ host, port: Number(port), localAddress: from });
  socket.on("error", () => undefined).resume();
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Opens a session of HTTP/2 that ends with the test. */
export async function openSession(address: string): Promise<ClientHttp2Session> {
  const session = connectHttp2(`http://${address}`);
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  await once(session, "remoteSettings");
  return session;
}

/** Whether the server greets a new connection from an address, instead of closing it. */
export async function isGreeted(address: string, from?: string): Promise<boolean> {
  const socket = await openSocket(address, from);
  socket.write(http2Greeting);
  return Promise.race([
    once(socket, "data").then(() => true),
    once(socket, "close").then(() => false),
  ]);
}
