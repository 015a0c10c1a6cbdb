import { replyMaxBytes } from "../core/model/limits.js";

/**
 * Largest message of any kind, in bytes, before and after decompression: a request as JSON, a chunk
 * of Restore, or a reply. The same as the default limit of gRPC clients.
 */
export const messageMaxBytes = replyMaxBytes;

/** Largest request in binary, in bytes. Only Restore and Import take `messageMaxBytes`. */
export const requestMaxBytes = 1024 * 1024;

/**
 * Each type of request has its own size limit. This is the smallest of these limits, in bytes. It
 * is larger than most valid messages. So a message with a field that is too long usually passes the
 * size check, and then gets an error that names the field.
 */
export const requestMinLimitBytes = 64 * 1024;

/**
 * The size limit of a request in JSON, as a multiple of its limit in binary, but never above
 * `messageMaxBytes`. JSON is larger because it may escape characters: `\u0007` stands for one byte.
 */
export const jsonSizeFactor = 6;

/**
 * Maximum number of bytes of a too large request that the server reads and discards before it
 * answers. Clients such as Node lose the answer if they cannot finish sending.
 */
export const refusedMaxBytes = 64 * 1024 * 1024;

/**
 * Deadline of a call whose client sets no deadline. Streams of requests have `requestWaits`
 * instead.
 */
export const defaultTimeoutMs = 30_000;

/**
 * `firstMs`: longest wait for a request, or for the first message of a stream of requests.
 * `nextMs`: longest wait for each further message of the stream.
 */
export const requestWaits = { firstMs: 30_000, nextMs: 60_000 };

/** Time for a client to finish sending after its call was answered, over HTTP/2. */
export const answeredStreamMs = 1_000;

/** Longest deadline of a call on the HTTP port. A longer one that a client sets is shortened. */
export const clientTimeoutMaxMs = 24 * 60 * 60 * 1000;

/** Memory that nghttp2 may use for one connection, in MiB. */
export const sessionMemoryMaxMb = 256;

/** Maximum size of the headers of one request on the HTTP listener, in bytes. */
export const headersMaxBytes = 16 * 1024;

/** Time for an HTTP/1.1 request to arrive. */
export const requestTimeoutMs = 60_000;

/**
 * Time that an HTTP/1.1 connection stays open between requests. Longer than the 60 s of common
 * proxies, so that the proxy closes first.
 */
export const keepAliveTimeoutMs = 65_000;

/**
 * Maximum size of the message of an error, in bytes. Message and fields together stay below the 8
 * KiB of headers that some gRPC clients accept, even when the message is percent-encoded and the
 * fields are in base64.
 */
export const errorMessageMaxBytes = 1024;

/**
 * Maximum size of the path of one field in the details of an error, in bytes. The description of
 * the field has the same limit.
 */
export const errorFieldMaxBytes = 512;

/**
 * Maximum size of the paths and descriptions of all fields of an error together, in bytes. Further
 * fields are left out.
 */
export const errorFieldsMaxBytes = 2048;
