import { VademecumError } from "../../core/model/errors.js";

/**
 * What to do about a failure: retry later, correct the key, correct the settings, or leave out the
 * text.
 */
export type Remedy = "wait" | "key" | "settings" | "text";

/** Suggested wait of a caller when the endpoint suggests no wait, in milliseconds. */
const defaultRetryMs = 1000;

/** Longest wait that is passed on to callers, in milliseconds: a day. */
const longestRetryMs = 24 * 60 * 60 * 1000;

/**
 * A request that the endpoint did not answer with vectors. The endpoint's error messages are not
 * kept, because they may quote the key or the texts.
 */
export class EndpointFailure extends Error {
  override readonly name = "EndpointFailure";

  private constructor(
    readonly remedy: Remedy,
    /** What happened, in words that continue a sentence beginning with "the embedding endpoint". */
    readonly event: string,
    /** Wait that the endpoint asks for, in milliseconds. */
    readonly retryAfterMs: number | undefined,
    cause?: unknown,
  ) {
    super(event, { cause });
  }

  /**
   * Creates the failure for a response with a status other than 2xx.
   *
   * @param answer the body of the response, parsed as JSON; the message quotes the endpoint's error
   * code from it
   */
  static ofStatus({ status, headers }: Response, answer: unknown): EndpointFailure {
    const code = errorCodeOf(answer);
    const what = `answered with HTTP ${status}${code === undefined ? "" : ` (${code})`}`;
    return new EndpointFailure(remedyOf(status), what, retryAfterOf(headers));
  }

  /** Creates the failure for a web page instead of vectors: the address is wrong. */
  static ofPage({ status }: Response): EndpointFailure {
    return new EndpointFailure(
      "settings",
      `answered with HTTP ${status} and a web page`,
      undefined,
    );
  }

  /** Creates the failure for a response that cannot be used. */
  static ofAnswer(what: string): EndpointFailure {
    return new EndpointFailure("wait", `sent an unusable response: ${what}`, undefined);
  }

  /**
   * Creates the failure for an error of `fetch`: a timeout, a port that `fetch` blocks, or a
   * connection that could not be made or was lost. Returns an `EndpointFailure` unchanged.
   */
  static of(error: unknown): EndpointFailure {
    if (error instanceof EndpointFailure) return error;
    if (error instanceof Error && error.name === "TimeoutError")
      return new EndpointFailure("wait", "did not answer in time", undefined, error);
    if (isBlockedPort(error))
      return new EndpointFailure(
        "settings",
        "is on a port that is reserved for other protocols",
        undefined,
        error,
      );
    return new EndpointFailure(
      "wait",
      `cannot be reached (${systemCodeOf(error) ?? "connection lost"})`,
      undefined,
      error,
    );
  }

  /** Returns the error for callers. */
  toError(): VademecumError {
    return this.#createError(this.remedy, "the embedding endpoint", "try again later");
  }

  /**
   * Returns the error for the start of a server. At start the server embeds one ordinary English
   * sentence. If the endpoint refuses even this sentence, the settings are wrong.
   */
  toStartError(url: string): VademecumError {
    const remedy = this.remedy === "text" ? "settings" : this.remedy;
    return this.#createError(
      remedy,
      `the embedding endpoint ${url}`,
      "check --openai-url, or start again when it answers",
    );
  }

  #createError(remedy: Remedy, endpoint: string, advice: string): VademecumError {
    const subject = `${endpoint} ${this.event}`;
    switch (remedy) {
      case "wait":
        return new VademecumError("UNAVAILABLE", "EMBEDDER_UNAVAILABLE", `${subject}; ${advice}`, {
          retryAfterMs: this.retryAfterMs ?? defaultRetryMs,
          cause: this,
        });
      case "key":
        return new VademecumError(
          "FAILED_PRECONDITION",
          "EMBEDDER_KEY_REFUSED",
          `${subject}: it refuses the key; start the server with a valid one in the environment ` +
            "variable VADEMECUM_OPENAI_KEY",
          { cause: this },
        );
      case "settings":
        return new VademecumError(
          "FAILED_PRECONDITION",
          "EMBEDDER_MISCONFIGURED",
          `${subject}; check --openai-url (which ends with /v1), --openai-model and ` +
            "--openai-dimensions",
          { cause: this },
        );
      case "text":
        return new VademecumError(
          "FAILED_PRECONDITION",
          "EMBEDDER_REFUSED_TEXT",
          `${subject}: it refuses this text; shorten it, or configure the endpoint to truncate ` +
            "texts that are too long for its model",
          { cause: this },
        );
    }
  }
}

function remedyOf(status: number): Remedy {
  if (status === 401 || status === 403) return "key";
  if ([408, 409, 425, 429].includes(status) || status >= 500) return "wait";
  return [400, 413, 422].includes(status) ? "text" : "settings";
}

/**
 * Returns `error.code` or `error.type` of a response if it is a word such as `insufficient_quota`.
 */
function errorCodeOf(answer: unknown): string | undefined {
  const { error } = (answer ?? {}) as {
    readonly error?: { readonly code?: unknown; readonly type?: unknown } | null;
  };
  return [error?.code, error?.type].find(
    (code): code is string => typeof code === "string" && /^[a-z_]{1,64}$/.test(code),
  );
}

/**
 * Returns the wait that the header `Retry-After` asks for, in milliseconds. The header holds a
 * number of seconds, or a date. Returns `undefined` if the header is missing or unreadable, or if
 * its date has passed.
 */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return waitMs > 0 ? Math.min(waitMs, longestRetryMs) : undefined;
}

/** Whether `fetch` blocks the port (https://fetch.spec.whatwg.org/#port-blocking). */
function isBlockedPort(error: unknown): boolean {
  return (
    error instanceof Error && error.cause instanceof Error && error.cause.message === "bad port"
  );
}

/** Returns the code of the system error that caused an error of `fetch`, such as `ECONNREFUSED`. */
function systemCodeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z_]{1,64}$/.test(at.code))
      return at.code;
  }
  return undefined;
}
