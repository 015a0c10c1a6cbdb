import { type HttpRequest, type HttpResponse, sendJson, sendJsonError } from "../http-messages.js";
import type { Health } from "../standard/health.js";

type State = Pick<Health, "serving" | "writes">;

/** What a health check over HTTP answers: its status, and its body. */
type Answer = (state: State) => readonly [status: number, body: object];

const ready: Answer = ({ serving, writes }) => [
  serving ? 200 : 503,
  { status: serving ? "SERVING" : "NOT_SERVING", writes },
];

/**
 * The health checks for load balancers and containers, by path. `/readyz` and `/healthz` answer 200
 * while the server serves, else 503. `/livez` answers 200 as long as the process works at all, so a
 * failure means that only a restart helps.
 */
const answers: ReadonlyMap<string, Answer> = new Map([
  ["/healthz", ready],
  ["/readyz", ready],
  ["/livez", () => [200, { status: "LIVE" }]],
]);

/** The paths of the health checks. */
export const healthPaths: readonly string[] = [...answers.keys()];

/** Answers a health check. Returns false for a path of anything else. */
export function serveHealth(
  path: string,
  request: HttpRequest,
  response: HttpResponse,
  state: State,
): boolean {
  const answer = answers.get(path);
  if (answer === undefined) return false;
  if (request.method === "GET" || request.method === "HEAD") {
    sendJson(response, ...answer(state));
  } else {
    sendJsonError(response, 405, "invalid_argument", `${path} accepts only GET and HEAD`, {
      allow: "GET, HEAD",
    });
  }
  return true;
}
