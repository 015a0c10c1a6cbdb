import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startTestServer, type TestServer } from "./harness/test-server.js";

const folder = join(import.meta.dirname, "../../dist/console");

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ "http-allow-host": "memory.example" });
});
afterAll(() => server.stop());

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends a request as it is: `fetch` would follow redirects, decode bodies and set the host. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.httpUrl}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

const securityHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const assets = readdirSync(join(folder, "a")).filter((name) => !/\.(?:br|gz)$/.test(name));
const script = assets.find((name) => name.endsWith(".js")) ?? "";

describe("the files of the console", () => {
  it("every answer under /console has the headers that keep foreign scripts out", async () => {
    const paths = [
      "/console",
      "/console/",
      "/console/a/none.js",
      "/console/..%2f..%2fpackage.json",
      ...assets.map((name) => `/console/a/${name}`),
    ];
    const answers = await Promise.all([
      ...paths.map((path) => ask(path)),
      ask("/console/", {}, "POST"),
      ask("/console/", { host: "evil.example" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      308,
      200,
      404,
      404,
      ...assets.map(() => 200),
      405,
      403,
    ]);
    for (const { headers } of answers) expect(headers).toMatchObject(securityHeaders);
  });

  it("the page names only files of the server, and has no script or style of its own", async () => {
    const { body, headers } = await ask("/console/");
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    const names = [...body.toString().matchAll(/(?:src|href)="([^"]*)"/g)].map(([, name]) => name);
    expect(names.length).toBe(assets.length);
    for (const name of names) expect(assets).toContain(name?.replace(/^a\//, ""));
    expect(body.toString()).not.toMatch(/<style|<script(?![^>]* src=)| on\w+=| style=/i);
  });

  it("a file comes in the best encoding that the browser accepts, for a year", async () => {
    const path = `/console/a/${script}`;
    const plain = await ask(path);
    const gzip = await ask(path, { "accept-encoding": "gzip, deflate" });
    const brotli = await ask(path, { "accept-encoding": "gzip, deflate, br" });
    const refused = await ask(path, { "accept-encoding": "br;q=0, gzip" });
    const bodies = [plain.body, gunzipSync(gzip.body), brotliDecompressSync(brotli.body)];
    const file = readFileSync(join(folder, "a", script));
    expect(bodies.map((body) => body.equals(file))).toEqual([true, true, true]);
    expect(
      [plain, gzip, brotli, refused].map(({ headers }) => headers["content-encoding"]),
    ).toEqual([undefined, "gzip", "br", "gzip"]);
    for (const { headers } of [plain, gzip, brotli])
      expect(headers).toMatchObject({
        "cache-control": "public, max-age=31536000, immutable",
        vary: "accept-encoding",
        "content-type": "text/javascript; charset=utf-8",
      });
  });

  it("the page is asked for anew each time, and is not sent again while it is the same", async () => {
    const { headers } = await ask("/console/");
    expect(headers["cache-control"]).toBe("no-cache");
    const etag = String(headers["etag"]);
    const second = await ask("/console/", { "if-none-match": etag });
    expect([second.status, second.body.length]).toEqual([304, 0]);
    expect((await ask("/console/", { "if-none-match": '"old"' })).status).toBe(200);
  });

  it("the start address leads browsers to the console, by a relative address", async () => {
    const page = { accept: "text/html,application/xhtml+xml;q=0.9" };
    const start = await ask("/", page);
    expect([start.status, start.headers["location"]]).toEqual([302, "console/"]);
    const bare = await ask("/console");
    expect([bare.status, bare.headers["location"]]).toEqual([308, "console/"]);
    expect((await ask("/")).body.toString()).toContain("<h1>Vademecum");
  });

  it("HEAD has no body, and other methods are refused", async () => {
    const head = await ask("/console/", {}, "HEAD");
    expect([head.status, head.body.length]).toEqual([200, 0]);
    const post = await ask("/console/", {}, "POST");
    expect([post.status, post.headers["allow"]]).toEqual([405, "GET, HEAD"]);
  });

  it("a host name that DNS rebinding can forge gets no page, and an allowed one does", async () => {
    const page = { accept: "text/html" };
    for (const path of ["/console/", "/console", `/console/a/${script}`, "/"]) {
      const refused = await ask(path, { ...page, host: "evil.example" });
      expect(refused.status).toBe(403);
      expect(refused.body.toString()).toContain("--http-allow-host");
    }
    for (const host of ["localhost:8080", "127.0.0.1", "[::1]:8080", "memory.example"])
      expect((await ask("/console/", { host })).status).toBe(200);
  });
});

it("a server with --console off has no console, and shows browsers the start page", async () => {
  const off = await startTestServer({ console: "off" });
  onTestFinished(() => off.stop());
  expect((await fetch(`${off.httpUrl}/console/`)).status).toBe(404);
  const start = await fetch(`${off.httpUrl}/`, { headers: { accept: "text/html" } });
  expect(await start.text()).toContain("<h1>Vademecum");
});
