import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * Forwards connections to a server, whose address may change. On request, it breaks all connections
 * in place of passing on a chunk of a reply.
 */
export class BreakingProxy {
  readonly #listener = createServer((socket) => this.#accept(socket));
  readonly #sockets = new Set<Socket>();
  #target = "";
  #chunksLeft: number | undefined;
  /** Sockets of clients that wait for the server. */
  readonly #held: Socket[] = [];

  /** Host and port of the proxy, which stay the same. */
  async start(): Promise<string> {
    this.#listener.listen(0, "127.0.0.1");
    await once(this.#listener, "listening");
    return `127.0.0.1:${(this.#listener.address() as AddressInfo).port}`;
  }

  /** Keeps new connections waiting until `forwardTo`. */
  hold(): void {
    this.#target = "";
  }

  /** Forwards all connections to an address from now on. */
  forwardTo(address: string): void {
    this.#target = address;
    for (const socket of this.#held.splice(0)) this.#forward(socket);
  }

  /** Passes on `chunks` more chunks of replies. Breaks all connections in place of the next one. */
  breakAfter(chunks: number): void {
    this.#chunksLeft = chunks;
  }

  /** Cancels a break that has not happened. Returns whether it has happened. */
  hasBroken(): boolean {
    const hasBroken = this.#chunksLeft === undefined;
    this.#chunksLeft = undefined;
    return hasBroken;
  }

  async stop(): Promise<void> {
    this.#listener.close();
    this.#breakAll();
    await once(this.#listener, "close");
  }

  #accept(socket: Socket): void {
    this.#follow(socket);
    if (this.#target === "") this.#held.push(socket);
    else this.#forward(socket);
  }

  #forward(client: Socket): void {
    const { hostname, port } = new URL(`http://${this.#target}`);
    const server = connect(Number(port), hostname);
    this.#follow(server);
    client.pipe(server);
    server.on("data", (chunk) => {
      if (this.#chunksLeft === 0) {
        this.#chunksLeft = undefined;
        this.#breakAll();
        return;
      }
      if (this.#chunksLeft !== undefined) this.#chunksLeft -= 1;
      client.write(chunk);
    });
    server.on("close", () => client.destroy());
    client.on("close", () => server.destroy());
  }

  #follow(socket: Socket): void {
    this.#sockets.add(socket);
    // A broken connection is the purpose of this proxy.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
  }

  #breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
