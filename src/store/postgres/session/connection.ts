import pg from "pg";
import { ConnectionLost, postgresNotUsable } from "../errors.js";
import type { Statement } from "./statement.js";
import type { PostgresTarget } from "./target.js";

/** Waits of a connection, in milliseconds. */
export interface ConnectionTimes {
  /** Time to connect and log in. */
  readonly connectMs: number;
  /** Time that one statement may take before the connection counts as lost. */
  readonly answerMs: number;
}

/** The result of a statement. `command` is the first word of PostgreSQL's tag, such as `COMMIT`. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly command: string;
  /** Number of rows that the statement returned or changed. */
  readonly count: number;
}

/** Longest wait for the end of a session, in milliseconds. */
const endMs = 2_000;

const int8 = 20;
const int8Array = 1016;

/** Parses 64-bit integers as numbers, because all numbers of this service are safe integers. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === int8) return Number;
    if (oid === int8Array) return parseNumbers;
    return pg.types.getTypeParser(oid, format ?? "text") as (text: string) => unknown;
  },
};

/** Runs statements. */
export interface Session {
  /**
   * Runs a prepared statement.
   *
   * @throws ConnectionLost, or the driver's error for what PostgreSQL refuses
   */
  query<Row = unknown>(statement: Statement, values?: readonly unknown[]): Promise<Rows<Row>>;
  /** Runs a statement without parameters. Throws the errors of `query`. */
  run<Row = unknown>(text: string): Promise<Rows<Row>>;
}

/**
 * A connection to PostgreSQL. Statements that are sent without waiting for each other travel in one
 * pipeline; PostgreSQL runs them in the order in which they were sent.
 */
export class Connection implements Session {
  #lost: ConnectionLost | undefined;
  #isEnding = false;
  /** The timeline of the server, see `readTimeline`. `undefined`: unknown. */
  timeline: string | undefined;

  private constructor(
    private readonly client: pg.Client,
    private readonly answerMs: number,
  ) {}

  /** Connects and logs in. Throws errors of the driver. */
  static async open(
    target: PostgresTarget,
    { connectMs, answerMs }: ConnectionTimes,
  ): Promise<Connection> {
    const client = new pg.Client({
      ...clientOptions(target),
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      pipeline: true,
      types,
    });
    const connection = new Connection(client, answerMs);
    client.on("error", ({ message }: Error) => connection.#lose(new ConnectionLost(message)));
    client.on("end", () => connection.#lose(new ConnectionLost("the connection has ended")));
    try {
      await client.connect();
    } catch (error) {
      connection.abandon();
      throw lossOf(error) ?? error;
    }
    return connection;
  }

  /** The process id of the session, as the server named it at the login. */
  get processId(): number {
    return processIdOf(this.client);
  }

  /** Whether statements can still be sent. */
  get isUsable(): boolean {
    return this.#lost === undefined && !this.#isEnding;
  }

  query<Row = unknown>(
    { name, text }: Statement,
    values: readonly unknown[] = [],
  ): Promise<Rows<Row>> {
    return this.#answer<Row>(() => this.client.query({ name, text, values: [...values] }));
  }

  run<Row = unknown>(text: string): Promise<Rows<Row>> {
    return this.#answer<Row>(() => this.client.query(text));
  }

  /** Calls `listener` with the payload of each notification from another session. */
  onNotification(listener: (payload: string) => void): void {
    const own = this.processId;
    this.client.on("notification", ({ payload, processId }) => {
      if (processId !== own) listener(payload ?? "");
    });
  }

  /** Calls `listener` once the connection is lost. */
  onLost(listener: (lost: ConnectionLost) => void): void {
    this.client.once("end", () => {
      listener(this.#lost ?? new ConnectionLost("the connection has ended"));
    });
  }

  /** Ends the session. Never rejects. */
  async end(): Promise<void> {
    this.#isEnding = true;
    if (this.#lost !== undefined) {
      this.abandon();
      return;
    }
    const timer = setTimeout(() => this.abandon(), endMs);
    await this.client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  /**
   * Closes the socket immediately, without telling PostgreSQL.
   *
   * @param silentMs how long PostgreSQL has not answered, in milliseconds
   */
  abandon(silentMs = 0): void {
    this.#lose(new ConnectionLost("the connection was given up", silentMs));
    streamOf(this.client).destroy();
  }

  async #answer<Row>(send: () => Promise<pg.QueryResult>): Promise<Rows<Row>> {
    this.#requireConnection();
    const timer = setTimeout(() => this.abandon(this.answerMs), this.answerMs);
    try {
      const { rows, command, rowCount } = await send();
      // The caller names the columns of its own statement.
      return { rows: rows as Row[], command, count: rowCount ?? 0 };
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) this.#requireConnection();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #requireConnection(): void {
    const { message, silentMs } = this.#lost ?? {};
    if (message !== undefined) throw new ConnectionLost(message, silentMs);
  }

  #lose(error: ConnectionLost): void {
    this.#lost ??= error;
  }
}

function processIdOf(client: pg.Client): number {
  return (client as pg.Client & { readonly processID: number }).processID;
}

/** The part of the driver's socket that this service uses. */
interface Stream {
  destroy(): void;
}

function streamOf(client: pg.Client): Stream {
  return (client as pg.Client & { readonly connection: { readonly stream: Stream } }).connection
    .stream;
}

function clientOptions({ host, port, user, database, password, tls }: PostgresTarget) {
  return {
    host,
    port,
    user,
    database,
    // Without a password, the driver would search the environment and files of the machine for one.
    password: password ?? passwordMissing,
    ssl: tls === undefined ? false : { rejectUnauthorized: true, ...(tls.ca && { ca: tls.ca }) },
    application_name: "vademecum",
  };
}

/**
 * Returns a `ConnectionLost` for a driver's error that reports a lost connection; otherwise
 * `undefined`. Such an error has no code, so only its text shows the loss.
 */
function lossOf(error: unknown): ConnectionLost | undefined {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError) return undefined;
  if (/timeout/i.test(error.message))
    return new ConnectionLost("PostgreSQL did not answer in time");
  if (/connection terminated/i.test(error.message)) return new ConnectionLost(error.message);
  return undefined;
}

/**
 * Called when PostgreSQL asks for a password that was not given.
 *
 * @throws FAILED_PRECONDITION (POSTGRES_NOT_USABLE) always
 */
function passwordMissing(): never {
  throw postgresNotUsable("PostgreSQL asks for a password; give it with --postgres-password-file");
}

function parseNumbers(text: string): number[] {
  return text === "{}" ? [] : text.slice(1, -1).split(",").map(Number);
}

/** Wraps a session, and adds each error of a statement to `failures`. */
export function noteFailures(session: Session, failures: unknown[]): Session {
  const noting = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  return {
    query: (statement, values) => noting(session.query(statement, values)),
    run: (text) => noting(session.run(text)),
  };
}

/**
 * Waits for all statements of a pipeline. Rethrows the error of the first statement that failed;
 * later statements only fail because of it.
 */
export async function allOf<const T extends readonly Promise<unknown>[]>(
  statements: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const outcomes = await Promise.allSettled(statements);
  return outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }) as { -readonly [K in keyof T]: Awaited<T[K]> };
}
