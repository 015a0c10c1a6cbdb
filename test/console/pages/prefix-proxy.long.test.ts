import { createServer, request, type Server } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { useConsole } from "./browser.js";
import { propose, putProfile } from "./proposals.js";

const server = useConsole();

/** Starts a proxy that strips a prefix. If it buffers, it sends an answer once it is complete. */
async function startProxy(target: string, buffers: boolean): Promise<string> {
  const proxy: Server = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? "/").replace(/^\/x\/y/, "");
    const upstream = request(
      `${target}${path}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        if (!buffers) {
          answer.pipe(outgoing);
          outgoing.flushHeaders();
          return;
        }
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => outgoing.end(Buffer.concat(chunks)));
      },
    );
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return `http://127.0.0.1:${address.port}/x/y`;
}

it("the console works under a prefix, and says live behind a proxy that passes streams on", async () => {
  const test = server();
  await putProfile(test);
  const url = await startProxy(test.url, false);
  const page = await test.open();
  await page.goto(`${url}/console/`);
  await page.getByText("● live").waitFor();
  await propose(test, "Likes: math", "Likes: music");
  await page.locator("[role=option]").first().waitFor({ timeout: 2_000 });
});

it("behind a proxy that holds streams back, the page asks every few seconds, and says so", async () => {
  const test = server();
  await putProfile(test);
  await propose(test, "Likes: math", "Likes: music");
  const url = await startProxy(test.url, true);
  const page = await test.open();
  await page.goto(`${url}/console/`);
  await page.getByText("polling").waitFor({ timeout: 60_000 });
  await page.locator("[role=option]").first().click();
  await page.getByTestId("diff").waitFor();
  await page.keyboard.press("a");
  await page.getByText("is now version 2").first().waitFor();
  expect(await page.title()).toBe("Inbox · Vademecum");
});
