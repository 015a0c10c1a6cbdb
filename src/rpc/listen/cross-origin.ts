import { cors as connectCors } from "@connectrpc/connect";
import cors from "cors";
import { requestIdHeader } from "../adapt/call-record.js";
import type { HttpRequest, HttpResponse } from "../http-messages.js";

/** Time that a browser may cache the answer to a preflight: the maximum of Chromium. */
const preflightMaxAgeSeconds = 7_200;

type Serve = (request: HttpRequest, response: HttpResponse) => void;

/**
 * Wraps `serve` so that web pages of other origins may call it. The wrapper adds the CORS headers
 * to each response, and answers preflights itself. Without an origin, returns `serve` itself.
 *
 * @param allowedOrigins such as `https://app.example.com`; they must equal the `Origin` header
 *   exactly
 */
export function allowOrigins(allowedOrigins: readonly string[], serve: Serve): Serve {
  if (allowedOrigins.length === 0) return serve;
  const allow = cors({
    origin: [...allowedOrigins],
    methods: [...connectCors.allowedMethods],
    // Clients send their key in Authorization. Load balancers route by X-Vademecum-User.
    allowedHeaders: [
      ...connectCors.allowedHeaders,
      ...["Authorization", "X-Vademecum-User", requestIdHeader],
    ],
    exposedHeaders: [...connectCors.exposedHeaders, requestIdHeader],
    maxAge: preflightMaxAgeSeconds,
  });
  return (request, response) => allow(request, response, () => serve(request, response));
}
