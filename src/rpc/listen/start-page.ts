import { productVersion } from "../../edge/version.js";
import { type HttpRequest, type HttpResponse, sendJsonError } from "../http-messages.js";
import type { Health } from "../standard/health.js";

/** Path of the page for people who open the server's address in a browser. */
export const startPath = "/";

/** The page has no scripts, no styles and no images, and no other page may frame it. */
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** Answers a browser with the version and the health of the server. */
export function serveStartPage(
  request: HttpRequest,
  response: HttpResponse,
  { serving, writes }: Pick<Health, "serving" | "writes">,
): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    const message = "/ is a page for browsers; call POST /<service>/<method>";
    sendJsonError(response, 405, "invalid_argument", message, { allow: "GET, HEAD" });
    return;
  }
  const bytes = Buffer.from(pageOf(serving ? "serving" : "not serving", writes));
  response.writeHead(200, { ...headers, "content-length": bytes.byteLength });
  // Node sends no body in answer to HEAD.
  response.end(bytes);
}

function pageOf(health: string, writes: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Vademecum</title>
<h1>Vademecum ${productVersion()}</h1>
<p>A memory service for AI agents.</p>
<dl>
<dt>Health</dt><dd>${health} (<a href="/healthz">/healthz</a>)</dd>
<dt>Writes</dt><dd>${writes}</dd>
</dl>
<p>Programs call this port over Connect, gRPC-Web or JSON: <code>POST /SERVICE/METHOD</code>, for example
<code>/vademecum.v1.MemoryProvider/Add</code>. In the package, <code>docs/README.md</code> leads to all pages
of the documentation, and <code>docs/reference/api.md</code> describes every call.</p>
</html>
`;
}
