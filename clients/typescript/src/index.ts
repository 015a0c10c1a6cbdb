export { Code } from "@connectrpc/connect";
export type { CallOptions, ResponseStream } from "./calls.js";
export { Client, type ConnectOptions, connect } from "./client.js";
export { type FieldViolation, VademecumError } from "./errors.js";
export type { SearchResult, SearchStream } from "./search-stream.js";
