import type {
  DescMethodBiDiStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  Message,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Call } from "../../core/ports/call.js";

/** What a handler knows of the call it serves, whatever the protocol. Everything is looked up when it is asked for. */
export interface RpcCall extends Call {
  /** When the call is cut, in milliseconds since 1970; `Infinity` if never. */
  readonly deadlineMs: number;
  /** Address and port of the caller, or of the proxy before it. */
  readonly peer: string;
  /** Value of a metadata entry (gRPC) or header (HTTP), the first if there are several; `undefined` if there is none. Names are lower case. */
  metadata(name: string): string | undefined;
}

/**
 * Handlers are plain functions, written once for all protocols. What a handler is given has been validated, except the requests of a bidi
 * stream: there one bad request need not end the stream, so the handler validates each. They throw `VademecumError` for what the caller is to know.
 */
export type UnaryHandler<Request, Response> = (
  request: Request,
  call: RpcCall,
) => Promise<Response>;
export type ServerStreamHandler<Request, Response> = (
  request: Request,
  call: RpcCall,
) => AsyncIterable<Response>;
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

/** A handler for each method of a service; a method without one does not compile. */
export type HandlersOf<S extends DescService> = {
  readonly [Name in keyof S["method"]]: HandlerOf<S["method"][Name]>;
};

interface Method<Descriptor, Handler> {
  readonly descriptor: Descriptor;
  readonly handle: Handler;
  /** Whether calls may stay open for ever when the client sets no deadline. */
  readonly openEnded: boolean;
}

/** A method with its handler, types erased: what the adapters put on the wire. */
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

/** Binds handlers to the methods of a service. `openEnded` names the methods that have no default deadline, such as watches. */
export function implement<S extends DescService>(
  service: S,
  handlers: HandlersOf<S>,
  { openEnded = [] }: { readonly openEnded?: readonly (keyof S["method"])[] } = {},
): Implementation {
  const methods = service.methods.map((descriptor) => ({
    kind: descriptor.methodKind,
    descriptor,
    handle: handlers[descriptor.localName],
    openEnded: openEnded.includes(descriptor.localName),
  }));
  // HandlersOf has tied each handler to its method; the list of methods has lost that tie.
  return { service, methods: methods as unknown as readonly RpcMethod[] };
}
