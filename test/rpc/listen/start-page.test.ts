import { expect, it, onTestFinished } from "vitest";
import { productVersion } from "../../../src/edge/version.js";
import { useTestRpcServer } from "../test-rpc-server.js";

const serve = useTestRpcServer();
const at = ({ httpAddress }: { readonly httpAddress: string }) => `http://${httpAddress}/`;

it("a browser gets a page with the version and the health, without scripts", async () => {
  const server = serve();
  const response = await fetch(at(server));
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  const page = await response.text();
  expect(page).toContain(`Vademecum ${productVersion()}`);
  expect(page).toContain('serving (<a href="/healthz">');
  expect(page).toContain("docs/reference/api.md");
  expect(page).not.toMatch(/<script|style| on\w+=/i);
});

it("the page shows that the server does not serve, or takes no writes", async () => {
  const server = serve();
  onTestFinished(() => {
    server.setServing(true);
    server.setWrites("ok");
  });
  server.setServing(false);
  server.setWrites("read_only");
  const page = await (await fetch(at(server))).text();
  expect(page).toContain("not serving");
  expect(page).toContain("read_only");
});

it("HEAD has no body, POST is refused, and a call of a wrong path still names the services", async () => {
  const server = serve();
  const head = await fetch(at(server), { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const post = await fetch(at(server), { method: "POST" });
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  const call = await fetch(at(server), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect(call.status).toBe(404);
  expect(await call.text()).toContain("vademecum.v1.MemoryProvider");
});

it("a page of another origin gets no page", async () => {
  const response = await fetch(at(serve()), { headers: { origin: "https://evil.example" } });
  expect(response.status).toBe(403);
});
