import { execFileSync } from "node:child_process";
import { env, execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { startTestServer } from "../../e2e/harness/test-server.js";

const script = fileURLToPath(new URL("../../../scripts/chromium.mjs", import.meta.url));
const program = execFileSync(execPath, [script, "--program"], { encoding: "utf8" }).trim();

/** How a test calls the server, as programs do: with JSON over HTTP. */
export type Call = (method: string, request: object) => Promise<Record<string, unknown>>;

/** A server with a console, and a browser. */
export interface ConsoleTest {
  readonly url: string;
  readonly call: Call;
  /** Opens the console in a new tab of the test's browser. */
  open(fragment?: string): Promise<Page>;
  /** Opens the console in a browser of its own, as another person does. */
  openElsewhere(fragment?: string): Promise<Page>;
}

/** What went wrong in the pages of a test: exceptions, and what the browser refused. */
const faults: string[] = [];

/** Starts a server and a browser for all tests of a file. Each test gets an empty store. */
export function useConsole(flags: Readonly<Record<string, string>> = {}): () => ConsoleTest {
  let browser: Browser | undefined;
  let current: ConsoleTest | undefined;
  let stop = async () => {};
  beforeAll(async () => {
    if (program === "") {
      if (env["CI_REQUIRE_TOOLCHAINS"] === "1")
        throw new Error("Chromium is not installed, and CI_REQUIRE_TOOLCHAINS asks for it");
      return;
    }
    browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());
  beforeEach(async ({ skip }) => {
    if (browser === undefined) {
      skip("Chromium is not installed (node scripts/chromium.mjs installs it where apt-get is)");
      return;
    }
    const server = await startTestServer({ provider: "memory", embedder: "none", ...flags });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const others: (() => Promise<void>)[] = [];
    const openIn = async (where: typeof context, fragment = "") => {
      const page = await where.newPage();
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && !/Failed to load resource|ERR_/.test(message.text()))
          faults.push(message.text());
      });
      await page.goto(`${server.httpUrl}/console/${fragment}`);
      return page;
    };
    faults.length = 0;
    current = {
      url: server.httpUrl,
      call: (method, request) => callServer(server.httpUrl, method, request),
      open: (fragment) => openIn(context, fragment),
      openElsewhere: async (fragment) => {
        const other = await (browser as Browser).newContext();
        others.push(() => other.close());
        return openIn(other, fragment);
      },
    };
    stop = async () => {
      await context.close();
      for (const close of others) await close();
      await server.stop();
    };
  });
  afterEach(async () => {
    await stop();
    stop = async () => {};
    if (faults.length > 0) throw new Error(`faults in the page: ${faults.join("; ")}`);
  });
  return () => {
    if (current === undefined) throw new Error("call this inside a test");
    return current;
  };
}

/** Makes a call. @throws Error with the message of the server when it fails */
export async function callServer(
  url: string,
  method: string,
  request: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/vademecum.v1.${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(request),
  });
  const body = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(String(body["message"]));
  return body;
}
