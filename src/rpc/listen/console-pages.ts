import { createHash } from "node:crypto";
import { isTrustedHost } from "../../edge/page-access.js";
import { type HttpRequest, type HttpResponse, sendJsonError } from "../http-messages.js";
import { refusalTexts } from "./guard-pages.js";

/** A file of the web console. */
export interface ConsoleFile {
  /** Its content type. */
  readonly type: string;
  readonly bytes: Buffer;
  /** The same content, by content encoding. */
  readonly encoded: ReadonlyMap<"br" | "gzip", Buffer>;
}

/**
 * The files of the web console by their paths below `/console/`. The page itself has the path `""`.
 * The name of every other file changes with its content.
 */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

/** The path of the console. The page is at this path with a slash at its end. */
const consolePath = "/console";

/**
 * The page runs its own script and nothing else: no inline script, no text as markup, no frame, no
 * other host. Memories are written by others, and may try all of these.
 */
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Answers requests for the console. Returns false for other requests. */
export type ServeConsole = (path: string, request: HttpRequest, response: HttpResponse) => boolean;

/**
 * Serves the console from memory: the page, its files, and a redirect from `/` for browsers.
 * Refuses requests under a `Host` that DNS rebinding could forge (see `isTrustedHost`).
 */
export function serveConsole(files: ConsoleFiles, allowedHosts: readonly string[]): ServeConsole {
  const etag = `"${createHash("sha256")
    .update(files.get("")?.bytes ?? "")
    .digest("hex")}"`;
  return (path, request, response) => {
    const isStart = path === "/" && wantsPage(request);
    if (!isStart && path !== consolePath && !path.startsWith(`${consolePath}/`)) return false;
    const { host = request.headers[":authority"]?.toString() } = request.headers;
    const file = files.get(path.slice(consolePath.length + 1));
    if (!isTrustedHost(host, allowedHosts)) {
      sendJsonError(response, 403, "permission_denied", refusalTexts.UNKNOWN_HOST, headers);
    } else if (request.method !== "GET" && request.method !== "HEAD") {
      const message = "the console consists of files; read them with GET";
      sendJsonError(response, 405, "invalid_argument", message, { ...headers, allow: "GET, HEAD" });
    } else if (isStart) {
      redirect(response, 302, "console/");
    } else if (path === consolePath) {
      redirect(response, 308, "console/");
    } else if (file === undefined) {
      const message =
        "the console has no such file; reload the page if it was open before an update";
      sendJsonError(response, 404, "not_found", message, headers);
    } else if (path === `${consolePath}/`) {
      sendPage(request, response, file, etag);
    } else {
      sendAsset(request, response, file);
    }
    return true;
  };
}

/** Whether a request of `/` comes from a browser that opens a page. */
function wantsPage({ headers: { accept }, method }: HttpRequest): boolean {
  return (method === "GET" || method === "HEAD") && /\btext\/html\b/.test(accept ?? "");
}

/** Redirects to a relative address, which also holds behind a proxy that adds a prefix. */
function redirect(response: HttpResponse, status: 302 | 308, location: string): void {
  response.writeHead(status, { ...headers, location, "content-length": 0 });
  response.end();
}

function sendPage(
  request: HttpRequest,
  response: HttpResponse,
  { bytes, type }: ConsoleFile,
  etag: string,
): void {
  const common = { ...headers, etag, "cache-control": "no-cache" };
  const known = request.headers["if-none-match"]?.split(",").map((each) => each.trim());
  if (known?.some((each) => each === etag || each === `W/${etag}`)) {
    response.writeHead(304, common);
    response.end();
    return;
  }
  send(response, { ...common, "content-type": type }, bytes);
}

function sendAsset(request: HttpRequest, response: HttpResponse, file: ConsoleFile): void {
  const accepted = request.headers["accept-encoding"]?.toString() ?? "";
  const encoding = (["br", "gzip"] as const).find(
    (each) =>
      file.encoded.has(each) &&
      new RegExp(`\\b${each}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|\\s|$))`).test(accepted),
  );
  const common = {
    ...headers,
    "content-type": file.type,
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  };
  const encoded = encoding && file.encoded.get(encoding);
  if (encoded === undefined) send(response, common, file.bytes);
  else send(response, { ...common, "content-encoding": encoding }, encoded);
}

function send(
  response: HttpResponse,
  fields: Readonly<Record<string, string | undefined>>,
  bytes: Buffer,
): void {
  response.writeHead(200, { ...fields, "content-length": bytes.byteLength });
  // Node sends no body in answer to HEAD.
  response.end(bytes);
}
