import { execFileSync } from "node:child_process";
import { env, execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { startTestServer, type TestServer } from "../../e2e/harness/test-server.js";
import { openTap, type Tap } from "./tap.js";

const script = fileURLToPath(new URL("../../../scripts/chromium.mjs", import.meta.url));
const program = execFileSync(execPath, [script, "--program"], { encoding: "utf8" }).trim();

/** A server with a console, and a browser. */
export interface ConsoleTest {
  /** The address of the server for the browser. */
  readonly url: string;
  /** The wire between the browser and the server. */
  readonly tap: Tap;
  readonly server: TestServer;
  /** Exceptions of the pages, and what the browser refused them. A test fails if any is left. */
  readonly faults: string[];
  /** Calls the server as programs do, with JSON over HTTP. */
  readonly call: (method: string, request: object) => Promise<Record<string, unknown>>;
  /** Opens the console in a new tab of the test's browser. */
  open(fragment?: string): Promise<Page>;
  /** Opens the console in a browser of its own, as another person does. */
  openElsewhere(fragment?: string): Promise<Page>;
}

/**
 * Starts a browser for all tests of a file, and a server for each test.
 *
 * @param start starts the server. Default: one with an empty store in RAM
 */
export function useConsole(start: () => Promise<TestServer> = startEmptyServer): () => ConsoleTest {
  let browser: Browser | undefined;
  let current: (ConsoleTest & { stop(): Promise<void> }) | undefined;
  const faults: string[] = [];
  beforeAll(async () => {
    if (program !== "")
      browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
    else if (env["CI_REQUIRE_TOOLCHAINS"] === "1")
      throw new Error("Chromium is not installed, and CI_REQUIRE_TOOLCHAINS asks for it");
  });
  afterAll(() => browser?.close());
  beforeEach(async ({ skip }) => {
    if (browser === undefined)
      skip("Chromium is not installed (node scripts/chromium.mjs installs it where apt-get is)");
    else {
      faults.length = 0;
      current = await openTest(browser, await start(), faults);
    }
  });
  afterEach(async () => {
    await current?.stop();
    current = undefined;
    if (faults.length > 0) throw new Error(`faults in the page: ${faults.join("; ")}`);
  });
  return () => {
    if (current === undefined) throw new Error("call this inside a test");
    return current;
  };
}

function startEmptyServer(): Promise<TestServer> {
  return startTestServer({ provider: "memory", embedder: "none" });
}

/** @param faults receives exceptions of the pages, and what the browser refused */
async function openTest(browser: Browser, server: TestServer, faults: string[]) {
  const tap = await openTap(server.httpUrl);
  const contexts: BrowserContext[] = [];
  const openContext = async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    contexts.push(context);
    return context;
  };
  const own = await openContext();
  const openIn = async (context: BrowserContext, fragment = "") => {
    const page = await context.newPage();
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !/Failed to load resource|ERR_/.test(message.text()))
        faults.push(message.text());
    });
    await page.goto(`${tap.url}/console/${fragment}`);
    return page;
  };
  return {
    url: tap.url,
    tap,
    server,
    faults,
    call: (method: string, request: object) => callServer(server.httpUrl, method, request),
    open: (fragment?: string) => openIn(own, fragment),
    openElsewhere: async (fragment?: string) => openIn(await openContext(), fragment),
    stop: async () => {
      for (const context of contexts) await context.close();
      await tap.close();
      await server.stop();
    },
  };
}

/**
 * Makes a call with JSON over HTTP.
 *
 * @throws Error with the message of the server when the call fails
 */
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
