import { type PageRefusal, type PageRules, pageRefusal } from "../../edge/page-access.js";
import { type HttpRequest, type HttpResponse, pathOf, sendJsonError } from "../http-messages.js";
import { healthPaths } from "./health-paths.js";

type Serve = (request: HttpRequest, response: HttpResponse) => void;

/** What a page reads whose request is refused. */
export const refusalTexts: Record<PageRefusal, string> = {
  OTHER_ORIGIN:
    "web pages of this origin may not call this server; start it with --http-allow-origin to " +
    "allow them",
  UNKNOWN_HOST:
    "the Host header names a host that this server does not know, which a page can forge by DNS " +
    "rebinding; start it with --http-allow-host to allow the name",
};

/**
 * Wraps `serve`. A request of a web page that may not call the server gets HTTP status 403 and does
 * not reach `serve`. The health checks stay open to all pages, because they reveal nothing.
 */
export function guardPages(rules: PageRules, serve: Serve): Serve {
  return (request, response) => {
    const { host = request.headers[":authority"]?.toString(), origin } = request.headers;
    const isHealthCheck = healthPaths.includes(pathOf(request));
    const refusal = isHealthCheck ? undefined : pageRefusal({ host, origin }, rules);
    if (refusal === undefined) serve(request, response);
    else sendJsonError(response, 403, "permission_denied", refusalTexts[refusal]);
  };
}
