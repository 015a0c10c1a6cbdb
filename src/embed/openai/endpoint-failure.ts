import { VademecumError } from "../../core/model/errors.js";

/** What can be done about a failure: ask again later, correct the key, correct the settings, or leave out the text. */
export type Remedy = "wait" | "key" | "settings" | "text";

/** What a caller waits for when the endpoint does not say how long, in milliseconds. */
const defaultRetryMs = 1000;

/** The longest wait that is handed on, in milliseconds: a day. */
const longestRetryMs = 24 * 60 * 60 * 1000;

/** A request that the endpoint did not answer with vectors. What it says in words is not kept: it may quote the key or the texts. */
export class EndpointFailure extends Error {
  override readonly name = "EndpointFailure";

  private constructor(
    readonly remedy: Remedy,
    /** What happened, to be read after "the embedding endpoint". */
    readonly what: string,
    /** How long the endpoint asks to wait, in milliseconds. */
    readonly retryAfterMs: number | undefined,
    cause?: unknown,
  ) {
    super(what, { cause });
  }

  /** An answer whose status is not 2xx. `answer` is its body, for the code of the error. */
  static ofStatus({ status, headers }: Response, answer: unknown): EndpointFailure {
    const code = errorCodeOf(answer);
    const what = `answered with HTTP ${status}${code === undefined ? "" : ` (${code})`}`;
    return new EndpointFailure(remedyOf(status), what, retryAfterOf(headers));
  }

  /** A web page where vectors should be: the address is that of something else. */
  static ofPage({ status }: Response): EndpointFailure {
    return new EndpointFailure(
      "settings",
      `answered with HTTP ${status} and a web page`,
      undefined,
    );
  }

  /** An answer that cannot be used. */
  static ofAnswer(what: string): EndpointFailure {
    return new EndpointFailure("wait", `cannot be understood: ${what}`, undefined);
  }

  /** Whatever `fetch` threw: a time-out, or a connection that could not be made or was lost. */
  static of(error: unknown): EndpointFailure {
    if (error instanceof EndpointFailure) return error;
    if (error instanceof Error && error.name === "TimeoutError")
      return new EndpointFailure("wait", "did not answer in time", undefined, error);
    if (isBlockedPort(error))
      return new EndpointFailure(
        "settings",
        "is on a port that is kept for other protocols and never asked",
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

  /** What callers are told. */
  toError(): VademecumError {
    return this.#told(this.remedy, "the embedding endpoint", "try again later");
  }

  /** What is told to whoever starts a server. A text as plain as the first one is not what an endpoint minds, so the settings are. */
  toStartError(url: string): VademecumError {
    const remedy = this.remedy === "text" ? "settings" : this.remedy;
    return this.#told(
      remedy,
      `the embedding endpoint ${url}`,
      "check --openai-url, or start again when it answers",
    );
  }

  #told(remedy: Remedy, who: string, whatToDo: string): VademecumError {
    const subject = `${who} ${this.what}`;
    switch (remedy) {
      case "wait":
        return new VademecumError(
          "UNAVAILABLE",
          "EMBEDDER_UNAVAILABLE",
          `${subject}; ${whatToDo}`,
          {
            retryAfterMs: this.retryAfterMs ?? defaultRetryMs,
            cause: this,
          },
        );
      case "key":
        return new VademecumError(
          "FAILED_PRECONDITION",
          "EMBEDDER_KEY_REFUSED",
          `${subject}: it refuses the key; start the server with a valid one in the environment variable VADEMECUM_OPENAI_KEY`,
          { cause: this },
        );
      case "settings":
        return new VademecumError(
          "FAILED_PRECONDITION",
          "EMBEDDER_MISCONFIGURED",
          `${subject}; check --openai-url (up to and with /v1), --openai-model and --openai-dimensions`,
          { cause: this },
        );
      case "text":
        return new VademecumError(
          "FAILED_PRECONDITION",
          "EMBEDDER_REFUSED_TEXT",
          `${subject}: it does not take this text; shorten it, or let the endpoint cut off what is too long for its model`,
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

/** `error.code` or `error.type` of an answer, if it is a word such as `insufficient_quota`. */
function errorCodeOf(answer: unknown): string | undefined {
  const { error } = (answer ?? {}) as {
    readonly error?: { readonly code?: unknown; readonly type?: unknown } | null;
  };
  return [error?.code, error?.type].find(
    (code): code is string => typeof code === "string" && /^[a-z_]{1,64}$/.test(code),
  );
}

/** `Retry-After`: seconds, or a date. `undefined` for what says nothing, such as a time that has passed. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return waitMs > 0 ? Math.min(waitMs, longestRetryMs) : undefined;
}

/** Whether `fetch` refuses the port itself (https://fetch.spec.whatwg.org/#port-blocking). */
function isBlockedPort(error: unknown): boolean {
  return (
    error instanceof Error && error.cause instanceof Error && error.cause.message === "bad port"
  );
}

/** The code of the system's error beneath what `fetch` throws, such as `ECONNREFUSED`. */
function systemCodeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z_]{1,64}$/.test(at.code))
      return at.code;
  }
  return undefined;
}
