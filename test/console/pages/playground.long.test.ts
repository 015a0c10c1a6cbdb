import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { SearchRequestSchema, SearchSummary } from "#gen/vademecum/v1/search_pb.js";
import { fillDemoFolder } from "../../../src/cli/demo/fill-demo-folder.js";
import { startTestServer } from "../../e2e/harness/test-server.js";
import { useConsole } from "./browser.js";

const folder = await mkdtemp(join(tmpdir(), "vademecum-playground-"));
const data = join(folder, "data");
beforeAll(() => fillDemoFolder(data, Date.now(), new Writable({ write: (_, __, done) => done() })));
afterAll(() => rm(folder, { recursive: true }));
const server = useConsole(() => startTestServer({ provider: "level", data }));

const topics = [
  "wine",
  "kernel",
  "proof",
  "violin",
  "exam",
  "matrix",
  "exercise",
  "goal",
  "picture",
  "Friday",
];
const questions = ["what about", "when did Ada mention", "why", "how often", "which"];

/** Returns what Search returns: the contents of the hits, and the receipt. */
async function searchWith(baseUrl: string, search: MessageInitShape<typeof SearchRequestSchema>) {
  const client = createClient(
    MemoryProvider,
    createConnectTransport({ baseUrl, httpVersion: "1.1" }),
  );
  const hits: string[] = [];
  const scores: string[] = [];
  let summary: SearchSummary | undefined;
  for await (const response of client.search(search)) {
    hits.push(...response.hits.map(({ memory }) => memory?.content ?? ""));
    scores.push(...response.hits.map((hit) => (hit.scores?.final ?? 0).toFixed(3)));
    summary = response.summary ?? summary;
  }
  return { hits, scores, returned: summary?.returned ?? 0, tokensUsed: summary?.tokensUsed ?? 0 };
}

it("the playground shows hits, scores and tokens of Search, and the text of Recall, for 50 queries", async () => {
  const test = server();
  const page = await test.open("#/u/ada/a/tutor/search?budget=60");
  await page.getByText("What would an agent remember?").waitFor();
  for (const question of questions)
    for (const topic of topics) {
      const query = `${question} ${topic}`;
      const search = {
        namespace: { userId: "ada", agentId: "tutor" },
        query,
        budgetTokens: 60,
      };
      const { hits, scores, returned, tokensUsed } = await searchWith(test.server.httpUrl, search);
      const recalled = await test.call("MemoryProvider/Recall", { search });
      await page.getByLabel("query").fill(query);
      await page.keyboard.press("Enter");
      await page
        .getByText(new RegExp(`^${returned} of \\d+ match(?:es)? · ${tokensUsed} of 60 tokens`))
        .waitFor();
      await expect
        .poll(() =>
          page.evaluate(`[...document.querySelectorAll(".explained tbody tr")]
            .filter((row) => row.querySelector("td").textContent !== "")
            .map((row) => row.querySelector("td.wide").textContent)`),
        )
        .toEqual(hits);
      const shown = await page.evaluate(`(() => {
        const heads = [...document.querySelectorAll(".explained th")].map((it) => it.textContent);
        const at = heads.indexOf("score");
        return [...document.querySelectorAll(".explained tbody tr")]
          .filter((row) => row.querySelector("td").textContent !== "")
          .map((row) => row.querySelectorAll("td")[at].textContent);
      })()`);
      expect({ query, shown }).toEqual({ query, shown: scores });
      await expect
        .poll(() => page.evaluate(`document.querySelector("pre.boxed").textContent`))
        .toBe(recalled["text"] ?? "");
    }
});

it("a memory that no search finds says which stage dropped it", async () => {
  const test = server();
  const { memories } = (await test.call("MemoryProvider/GetAll", {
    namespace: { userId: "ada", agentId: "tutor" },
    filter: { contentContains: "zero vector" },
  })) as { memories: { id: string; content: string }[] };
  const [memory] = memories;
  const page = await test.open(`#/u/ada/a/tutor/search?q=violin&follow=${memory?.id}`);
  const row = page.locator(".explained tr").filter({ hasText: memory?.content ?? "" });
  await row.waitFor();
  expect((await row.locator("td").allTextContents()).at(-1)).toMatch(/shares no keyword/);
  await page
    .getByLabel("ask about a memory, by its id")
    .fill("01a200a9-0000-7000-8000-000000000000");
  await page.keyboard.press("Enter");
  await page.getByText("The namespace has no memory").waitFor();
});

it("the playground shows the context of a turn by sections, and the call as programs", async () => {
  const test = server();
  const page = await test.open("#/u/ada/a/sommelier/search?q=which%20wine&budget=90");
  await page.getByText("Context of a turn").click();
  const namespace = { userId: "ada", agentId: "sommelier" };
  const query = "which wine";
  const built = await test.call("MemoryProvider/BuildContext", {
    ...{ namespace, query, budgetTokens: 90 },
    sections: [{ blocks: {} }, { skills: {} }, { memories: {} }],
  });
  await page.getByRole("img", { name: `${String(built["tokenCount"])} of 90 tokens` }).waitFor();
  const sections = built["sections"] as { kind: string; tokens?: number }[];
  const rows = page.getByRole("table", { name: "Sections" }).locator("tbody tr");
  for (const [index, { kind, tokens = 0 }] of sections.entries())
    expect((await rows.nth(index).locator("td").allTextContents()).slice(0, 2)).toEqual([
      kind.replace("CONTEXT_SECTION_KIND_", "").toLowerCase(),
      String(tokens),
    ]);
  expect(
    await page.evaluate(`[...document.querySelectorAll("pre.boxed")].map((it) => it.textContent)`),
  ).toContain(built["text"]);
  await page.getByText("This call in curl").click();
  const recall = { search: { namespace, query, budgetTokens: 90 } };
  expect(await page.locator("pre.boxed").filter({ hasText: "curl" }).textContent()).toContain(
    `vademecum.v1.MemoryProvider/Recall \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(recall)}'`,
  );
});

it("two settings of one query are shown side by side, with what differs", async () => {
  const test = server();
  const page = await test.open("#/u/ada/a/sommelier/search?q=which%20wine&budget=60");
  await page.getByText("of 60 tokens").waitFor();
  const stages = page.getByRole("list", { name: "Stages" });
  for (const stage of ["filter", "keyword", "packing"])
    expect(await stages.getByText(stage).first().textContent()).toMatch(/\((?:< 1|\d+) ms\)$/);
  await page.getByRole("button", { name: "Compare two settings" }).click();
  await page.getByText("the same hits in the same order").waitFor();
  const right = page.getByRole("region", { name: "Right settings" });
  await right.locator("input").first().fill("12");
  await page.keyboard.press("Enter");
  await right.getByText("of 12 tokens").waitFor();
  const search = { namespace: { userId: "ada", agentId: "sommelier" }, query: "which wine" };
  const searched = (budgetTokens: number) =>
    searchWith(test.server.httpUrl, { ...search, budgetTokens });
  const [wide, narrow] = [await searched(60), await searched(12)];
  const both = wide.hits.filter((hit) => narrow.hits.includes(hit)).length;
  const only = [wide.hits.length - both, narrow.hits.length - both];
  expect(only[0]).toBeGreaterThan(0);
  const hits = both === 1 ? "1 hit" : `${both} hits`;
  const difference = `${hits} on both sides, ${only[0]} only left, ${only[1]} only right`;
  await page.getByText(difference).waitFor();
  await page.reload();
  await page.getByText(difference).waitFor();
  await page.getByRole("button", { name: "Compare two settings" }).click();
  await page.getByRole("list", { name: "Stages" }).waitFor();
  expect(page.url()).not.toContain("b.budget");
});

it("a turn of a tool shows what was queried, cut and denied, with the reasons", async () => {
  const page = await server().open("#/u/ada/a/sommelier/turns");
  await page.getByText("r-dinner-1").first().click();
  await page.getByText("denied").first().waitFor();
  await page
    .getByText(/manifest does not/)
    .first()
    .waitFor();
  await page.evaluate(`history.back()`);
  await page.getByText("r-dinner-2").first().click();
  await page.getByText("truncated").first().waitFor();
  await page.getByText("manifest allows 2 queries").waitFor();
});
