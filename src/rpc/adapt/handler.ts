import {
  type DescMethodBiDiStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type DescService,
  getOption,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import { RpcFacts_Effect, rpc } from "#gen/vademecum/v1/options_pb.js";
import type { Call } from "../../core/ports/call.js";
import type { CallSpan } from "../../core/ports/tracer.js";
import type { StreamKind } from "../admit/open-streams.js";

/**
 * A call as its handler sees it, the same for all protocols. Some properties are getters, so pass
 * on the call itself, not a copy.
 */
export interface RpcCall extends Call {
  /** Calls `listener` whenever the call continues with changed rights of the caller. */
  onNewRights(listener: () => void): void;
  /** Deadline in milliseconds since 1970; `Infinity` for none. */
  readonly deadlineMs: number;
  /** Path of the RPC: `/<service>/<method>`. */
  readonly path: string;
  /** The id in the header `x-request-id`, which the client gave or the server made. */
  readonly requestId: string;
  /** The span of the call. `undefined`: the call is not traced. */
  readonly span: CallSpan | undefined;
  /** Address and port of the client, or of the proxy in front of it. */
  readonly peer: string;
  /**
   * Returns the first value of a metadata entry (gRPC) or header (HTTP). `undefined`: not sent.
   *
   * @param name in lower case
   */
  metadata(name: string): string | undefined;
}

/**
 * Answers a request. A handler is a plain function, the same for all protocols. The adapters have
 * validated the request. The handler throws `VademecumError` for failures that the caller should
 * see.
 */
export type UnaryHandler<Request, Response> = (
  request: Request,
  call: RpcCall,
) => Promise<Response>;
/** Answers a request with a stream. The adapters have validated the request. */
export type ServerStreamHandler<Request, Response> = (
  request: Request,
  call: RpcCall,
) => AsyncIterable<Response>;
/**
 * Answers a stream of requests. The handler validates each request itself, because an invalid
 * request need not end the stream.
 */
export type BidiStreamHandler<Request, Response> = (
  requests: AsyncIterable<Request>,
  call: RpcCall,
) => AsyncIterable<Response>;

type HandlerOf<M> =
  M extends DescMethodUnary<infer Request, infer Response>
    ? UnaryHandler<MessageShape<Request>, MessageShape<Response>>
    : M extends DescMethodServerStreaming<infer Request, infer Response>
      ? ServerStreamHandler<MessageShape<Request>, MessageShape<Response>>
      : M extends DescMethodBiDiStreaming<infer Request, infer Response>
        ? BidiStreamHandler<MessageShape<Request>, MessageShape<Response>>
        : never;

/**
 * A handler for each method of a service. A service with a method but no handler does not compile.
 */
export type HandlersOf<S extends DescService> = {
  readonly [Name in keyof S["method"]]: HandlerOf<S["method"][Name]>;
};

interface Method<Descriptor, Handler> {
  readonly descriptor: Descriptor;
  readonly handle: Handler;
  /** Whether a call without a deadline may stay open for ever. */
  readonly openEnded: boolean;
  /** Whether a call counts among the calls in flight. */
  readonly needsSlot: boolean;
  /** Whether a call only reads. Methods of other definitions than ours count as writes. */
  readonly isRead: boolean;
  /**
   * The kind under which open calls of the method are counted. Absent: such calls are not counted,
   * because they end soon or need a slot.
   */
  readonly streamKind?: StreamKind | undefined;
}

/** A method and its handler, with `Message` for every request and response type. */
export type RpcMethod =
  | ({ readonly kind: "unary" } & Method<DescMethodUnary, UnaryHandler<Message, Message>>)
  | ({ readonly kind: "server_streaming" } & Method<
      DescMethodServerStreaming,
      ServerStreamHandler<Message, Message>
    >)
  | ({ readonly kind: "bidi_streaming" } & Method<
      DescMethodBiDiStreaming,
      BidiStreamHandler<Message, Message>
    >);

/** A service with a handler for each method. */
export interface Implementation {
  readonly service: DescService;
  readonly methods: readonly RpcMethod[];
}

/**
 * Binds handlers to the methods of a service. The limit on calls in flight does not apply to
 * methods that `options` names.
 *
 * @param options.openEnded methods without a default deadline, such as watches, each with the kind
 *   under which its open calls are counted
 * @param options.uncounted methods that must be answered even when the limit is reached
 */
export function implement<S extends DescService>(
  service: S,
  handlers: HandlersOf<S>,
  options: {
    readonly openEnded?: { readonly [Name in keyof S["method"]]?: StreamKind };
    readonly uncounted?: readonly (keyof S["method"])[];
  } = {},
): Implementation {
  const { uncounted = [] } = options;
  const openEnded: Readonly<Record<string, StreamKind | undefined>> = options.openEnded ?? {};
  const methods = service.methods.map((descriptor) => {
    const { localName, methodKind } = descriptor;
    const openEndedKind = openEnded[localName];
    return {
      kind: methodKind,
      descriptor,
      handle: handlers[localName],
      openEnded: openEndedKind !== undefined,
      isRead: getOption(descriptor, rpc).effect === RpcFacts_Effect.READS,
      needsSlot: openEndedKind === undefined && !uncounted.includes(localName),
      streamKind: openEndedKind ?? (methodKind === "bidi_streaming" ? "requests" : undefined),
    };
  });
  // The type `HandlersOf` has checked that each handler fits its method. The type of the list
  // cannot express this.
  return { service, methods: methods as unknown as readonly RpcMethod[] };
}

/**
 * Whether each response of a stream answers one request, in order. The handler of such a stream
 * needs each request until its response is sent. Any other handler needs a request only until it
 * asks for the next request.
 */
export function answersEachRequest({ kind, openEnded }: RpcMethod): boolean {
  return kind === "bidi_streaming" && !openEnded;
}
