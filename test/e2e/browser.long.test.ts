import { execFile, execFileSync } from "node:child_process";
import { env, execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "./harness/test-server.js";

const run = promisify(execFile);
const chromiumScript = fileURLToPath(new URL("../../scripts/chromium.mjs", import.meta.url));
const callScript = fileURLToPath(new URL("browser/call-from-page.mjs", import.meta.url));
const hasChromium =
  execFileSync(execPath, [chromiumScript, "--program"], { encoding: "utf8" }) !== "";

const origin = "http://page.test";
const namespace = { userId: "ada", agentId: "page" };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ "http-allow-origin": origin });
});
afterAll(() => server.stop());

/** Calls export `name` of page-calls.mjs in a page of the given origin, and returns its result. */
async function fromPage(pageOrigin: string, name: string, argument: object = {}): Promise<unknown> {
  const { stdout } = await run(execPath, [
    callScript,
    pageOrigin,
    name,
    JSON.stringify({ url: server.httpUrl, ...argument }),
  ]);
  return JSON.parse(stdout) as unknown;
}

describe("a page in Chromium", () => {
  beforeEach(({ skip }) => {
    if (!hasChromium && env["CI_REQUIRE_TOOLCHAINS"] === "1")
      throw new Error("Chromium is not installed, and CI_REQUIRE_TOOLCHAINS asks for it");
    skip(
      !hasChromium,
      "Chromium is not installed (node scripts/chromium.mjs installs it on systems with apt-get)",
    );
  });

  it("a page in Chromium gets replies, streams and errors over every protocol that browsers support", async () => {
    const expected = {
      idLength: 36,
      contents: ["Ada is allergic to hazelnuts"],
      invalid: { code: "InvalidArgument", reason: "INVALID_FIELD", fields: ["content"] },
      invalidStream: { code: "InvalidArgument", reason: "INVALID_FIELD", fields: ["limit"] },
      unknown: { code: "Unimplemented" },
      // Either the page or the server ends the call first. The error of the server has details.
      deadline: expect.toBeOneOf([
        { code: "DeadlineExceeded" },
        { code: "DeadlineExceeded", reason: "DEADLINE_EXCEEDED", fields: [] },
      ]) as unknown,
      cancelled: { code: "Canceled" },
    };
    const results = await fromPage(origin, "callOverEach");
    expect(results).toEqual({
      "Connect with JSON": expected,
      "Connect in binary": expected,
      "gRPC-Web": expected,
    });
  });

  it("a page in Chromium calls Add with fetch and JSON alone, and can read the error details", async () => {
    const requests = ["Told by a page", ""].map((content) => ({ namespace, content }));
    expect(await fromPage(origin, "fetchJson", { requests })).toMatchObject([
      { status: 200, body: { id: expect.any(String) as unknown } },
      {
        status: 400,
        body: { code: "invalid_argument", details: [{ debug: { reason: "INVALID_FIELD" } }, {}] },
      },
    ]);
  });

  it("the browser blocks the calls of a page whose origin is not allowed", async () => {
    const requests = [{ namespace, content: "Told by another page" }];
    expect(await fromPage("http://other.test", "fetchJson", { requests })).toEqual([
      { refusal: "TypeError" },
    ]);
  });
});
