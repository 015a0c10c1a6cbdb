import {
  Client,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
} from "@grpc/grpc-js";
import { hasCredentials } from "../../core/model/principal.js";
import { requestIdHeader } from "../adapt/call-record.js";
import type { RpcCall } from "../adapt/handler.js";
import { actorHeader } from "../convert/author.js";
import { messageMaxBytes } from "../limits.js";
import { forwardedError } from "./forwarded-error.js";
import type { MoveTargets } from "./move-targets.js";

/** The header that names the stores of the servers which have forwarded a call, by their ids. */
export const visitedHeader = "vademecum-visited-stores";

/** The headers of a caller that a forwarded call keeps: the key or token, the person, the trace. */
const keptHeaders = ["authorization", actorHeader, "traceparent", "tracestate", "x-vademecum-user"];

/**
 * Most calls on one connection. The other server limits the calls of a connection, and watches stay
 * open for long, so further calls open another connection.
 */
const connectionCalls = 100;

/** A call to forward. */
export interface ForwardedCall {
  /** The address of the server that has the data. */
  readonly address: string;
  /** Path of the RPC. */
  readonly path: string;
  /** The stores that the call has visited, with the store of this server. */
  readonly visited: readonly string[];
  /** The call of the caller. If it ends, the forwarded call ends too. */
  readonly call: RpcCall;
}

/** A stream of requests that is forwarded, and its replies. */
export interface ForwardedStream {
  /** Sends a message. Resolves when the next one can be sent. Must not be called meanwhile. */
  send(bytes: Uint8Array): Promise<void>;
  /** Whether the other server still takes messages. */
  readonly isOpen: boolean;
  /** Ends the requests. */
  end(): void;
  /** The replies. Throws the error of the other server as `forwardedError`. */
  readonly replies: AsyncIterable<Buffer>;
  /** Ends the call without its answer. */
  cancel(): void;
}

/** Makes the calls of moved users to the servers that have their data now. */
export interface Forwarder extends Pick<MoveTargets, "require"> {
  /** Number of calls that were forwarded. */
  readonly calls: number;
  /**
   * Whether a call may be forwarded to an address: `--move-targets` lists it, and the caller has no
   * client certificate in place of a key or token, because a certificate cannot be passed on.
   */
  mayForward(address: string, call: RpcCall): boolean;
  /** Forwards a call with one request and one reply. Throws as `forwardedError`. */
  unary(call: ForwardedCall, request: Uint8Array): Promise<Buffer>;
  /** Forwards a call with one request and a stream of replies. Throws as `forwardedError`. */
  serverStream(call: ForwardedCall, request: Uint8Array): AsyncIterable<Buffer>;
  /** Forwards a stream of requests. The caller counts its messages with `count`. */
  bidiStream(call: ForwardedCall): ForwardedStream;
  /** Counts a forwarded message of a stream of requests. */
  count(): void;
  /** Closes the connections. */
  close(): void;
}

/** A connection to a server, and the number of its open calls. */
interface Connection {
  readonly client: Client;
  calls: number;
}

/** The members of every call of grpc-js. */
interface OpenCall {
  cancel(): void;
  once(event: "status", listener: () => void): unknown;
}

export function createForwarder(targets: MoveTargets): Forwarder {
  return new GrpcForwarder(targets);
}

class GrpcForwarder implements Forwarder {
  readonly #targets: MoveTargets;
  readonly #connections = new Map<string, Connection[]>();
  #calls = 0;

  constructor(targets: MoveTargets) {
    this.#targets = targets;
  }

  get calls(): number {
    return this.#calls;
  }

  require(address: string): void {
    this.#targets.require(address);
  }

  mayForward(address: string, call: RpcCall): boolean {
    const hasCertificateOnly =
      hasCredentials(call.principal) && call.metadata("authorization") === undefined;
    return !hasCertificateOnly && this.#targets.find(address) !== undefined;
  }

  count(): void {
    this.#calls++;
  }

  async unary(call: ForwardedCall, request: Uint8Array): Promise<Buffer> {
    this.count();
    return new Promise((resolve, reject) => {
      this.#follow(call, (client, metadata, options) =>
        client.makeUnaryRequest(
          call.path,
          keepBytes,
          keepBytes,
          Buffer.from(request),
          metadata,
          options,
          (error, reply) => {
            if (reply !== undefined) resolve(reply);
            else if (error !== null) reject(forwardedError(error, call.address));
          },
        ),
      );
    });
  }

  serverStream(call: ForwardedCall, request: Uint8Array): AsyncIterable<Buffer> {
    this.count();
    const stream = this.#follow(call, (client, metadata, options) =>
      client.makeServerStreamRequest(
        call.path,
        keepBytes,
        keepBytes,
        Buffer.from(request),
        metadata,
        options,
      ),
    );
    return repliesOf(stream, call.address);
  }

  bidiStream(call: ForwardedCall): ForwardedStream {
    const stream = this.#follow(call, (client, metadata, options) =>
      client.makeBidiStreamRequest(call.path, keepBytes, keepBytes, metadata, options),
    );
    // The iterator of the replies throws the error. Without a listener, an error between two
    // replies would end the process.
    let isOpen = true;
    let goOn: () => void = () => undefined;
    stream.on("error", () => undefined);
    stream.on("drain", () => goOn());
    stream.once("status", () => {
      isOpen = false;
      goOn();
    });
    return {
      get isOpen() {
        return isOpen;
      },
      async send(bytes) {
        if (!isOpen || stream.write(Buffer.from(bytes))) return;
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      },
      end: () => stream.end(),
      replies: repliesOf(stream, call.address),
      cancel: () => stream.cancel(),
    };
  }

  close(): void {
    for (const { client } of [...this.#connections.values()].flat()) client.close();
    this.#connections.clear();
  }

  /** Starts a call on a connection that has room. Cancels it when the call of the caller ends. */
  #follow<T extends OpenCall>(
    forwarded: ForwardedCall,
    start: (client: Client, metadata: Metadata, options: { deadline?: number }) => T,
  ): T {
    const { address, visited, call } = forwarded;
    call.throwIfEnded();
    const metadata = new Metadata();
    metadata.set(visitedHeader, visited.join(","));
    metadata.set(requestIdHeader, call.requestId);
    for (const name of keptHeaders) {
      const value = call.metadata(name);
      // Other values cannot be sent over gRPC.
      if (value !== undefined && /^[ -~]*$/.test(value)) metadata.set(name, value);
    }
    if (call.span !== undefined) metadata.set("traceparent", call.span.traceparent);
    const connection = this.#connectionTo(address);
    const options = call.deadlineMs === Infinity ? {} : { deadline: call.deadlineMs };
    const open = start(connection.client, metadata, options);
    const cancel = () => open.cancel();
    connection.calls++;
    call.signal.addEventListener("abort", cancel, { once: true });
    open.once("status", () => {
      connection.calls--;
      call.signal.removeEventListener("abort", cancel);
    });
    return open;
  }

  #connectionTo(address: string): Connection {
    const known = this.#connections.get(address) ?? [];
    const free = known.find(({ calls }) => calls < connectionCalls);
    if (free !== undefined) return free;
    const target = this.#targets.find(address);
    if (target === undefined) throw new Error(`${address} is no target for forwarded calls`);
    const channel = target.isTls ? credentials.createSsl() : credentials.createInsecure();
    const client = new Client(target.authority, channel, {
      "grpc.max_receive_message_length": messageMaxBytes,
      "grpc.use_local_subchannel_pool": 1,
      "grpc.enable_http_proxy": 0,
      "grpc.enable_retries": 0,
      "grpc.service_config_disable_resolution": 1,
      "grpc.keepalive_time_ms": 60_000,
      "grpc.keepalive_timeout_ms": 20_000,
    });
    const opened = { client, calls: 0 };
    this.#connections.set(address, [...known, opened]);
    return opened;
  }
}

function keepBytes(bytes: Buffer): Buffer {
  return bytes;
}

async function* repliesOf(
  stream: ClientReadableStream<Buffer>,
  address: string,
): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    throw forwardedError(error as ServiceError, address);
  } finally {
    stream.cancel();
  }
}
