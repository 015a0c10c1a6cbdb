/** Largest request message, before and after decompression. */
export const requestMaxBytes = 4 * 1024 * 1024;

/** Largest response message. */
export const responseMaxBytes = 16 * 1024 * 1024;

/** How long a call may take when the client sets no deadline. */
export const defaultTimeoutMs = 30_000;

/** Longest deadline that a client may set through Connect or gRPC-Web. */
export const clientTimeoutMaxMs = 24 * 60 * 60 * 1000;

/** Calls that one connection may have in flight. */
export const connectionMaxStreams = 256;

/** What nghttp2 may hold in memory for one connection. */
export const sessionMemoryMaxMb = 256;

/** Size of the headers of one request on the HTTP listener. */
export const headersMaxBytes = 16 * 1024;

/** Connections that a listener holds at the same time; further ones are closed at once. */
export const connectionsMax = 10_000;

/** How long a new connection may take to say which protocol it speaks, and a request to send its headers. */
export const headersTimeoutMs = 10_000;

/** How long an HTTP/1.1 request may take to arrive. */
export const requestTimeoutMs = 60_000;

/** How long an HTTP/1.1 connection stays open between requests: longer than the 60 s of common proxies, so that they close first. */
export const keepAliveTimeoutMs = 65_000;

/** How long an HTTP/2 connection without calls stays open. */
export const idleConnectionMs = 30 * 60 * 1000;

/** How often a gRPC connection is pinged, and how long the answer may take, so that vanished clients are noticed. */
export const keepalivePingMs = 60_000;
export const keepaliveTimeoutMs = 20_000;

/** What is sent of an error: together below the 8 KiB of headers that some gRPC clients accept, even base64- and percent-encoded. */
export const errorMessageMaxBytes = 1024;
/** Path or description of one field. */
export const errorFieldMaxBytes = 512;
/** Paths and descriptions of all fields that are named; further ones are left out. */
export const errorFieldsMaxBytes = 2048;
