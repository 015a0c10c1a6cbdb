import { cors as connectCors } from "@connectrpc/connect";
import cors from "cors";
import type { HttpRequest, HttpResponse } from "../http-messages.js";

/** How long a browser may remember the answer to a preflight: as long as Chromium does at most. */
const preflightMaxAgeSeconds = 7_200;

type Serve = (request: HttpRequest, response: HttpResponse) => void;

/**
 * Lets pages of other origins call what `serve` answers: browsers are told so by the headers of each answer, and their preflights are answered here.
 * Without an origin, the answers are `serve`'s alone. Origins are compared as they are, such as `https://app.example.com`.
 */
export function withCrossOrigin(allowedOrigins: readonly string[], serve: Serve): Serve {
  if (allowedOrigins.length === 0) return serve;
  const allow = cors({
    origin: [...allowedOrigins],
    methods: [...connectCors.allowedMethods],
    // Clients send their key in `authorization`.
    allowedHeaders: [...connectCors.allowedHeaders, "Authorization"],
    exposedHeaders: [...connectCors.exposedHeaders],
    maxAge: preflightMaxAgeSeconds,
  });
  return (request, response) => allow(request, response, () => serve(request, response));
}
