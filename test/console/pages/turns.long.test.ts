import { afterAll, expect, it } from "vitest";
import { startTestServer } from "../../e2e/harness/test-server.js";
import {
  startTestEndpoint,
  type TestEndpoint,
  withError,
  withVectors,
} from "../../embed/openai/test-endpoint.js";
import { useConsole } from "./browser.js";

const namespace = { userId: "ada", agentId: "sommelier" };
let endpoint: TestEndpoint;

/** Starts a server whose embedder refuses some texts, so that their queries fail. */
const server = useConsole(async () => {
  endpoint = await startTestEndpoint();
  endpoint.answerAll((response, request) =>
    request.body.input.some((text) => text.includes("refused"))
      ? withError(400, "invalid_input")(response, request)
      : withVectors()(response, request),
  );
  const flags = { embedder: "openai", "openai-url": endpoint.url };
  return startTestServer({ provider: "memory", ...flags });
});

afterAll(() => endpoint.stop());

const EPISODIC = "MEMORY_TYPE_EPISODIC";
const SEMANTIC = "MEMORY_TYPE_SEMANTIC";
const WORKING = "MEMORY_TYPE_WORKING";

/** Each query, and the event and the reason that the page shows for it. */
const queries = [
  ["undeclared", { memoryType: WORKING }, "denied", "manifest does not declare WORKING"],
  ["disabled", { memoryType: SEMANTIC }, "denied", "SEMANTIC is not enabled"],
  ["kind", { filter: { kinds: ["secret"] } }, "denied", "does not allow kind 'secret'"],
  ["restricted", {}, "denied", "1 restricted memory matched, and was withheld"],
  ["failing", { queryText: "refused wine" }, "failed", "refuses this text"],
  ["over budget", { budgetTokens: 12, queryText: "cellar" }, "truncated", "1 of 2 matches did not"],
  ["faulty", { limit: 0 }, "invalid", "limit"],
  ["last", { queryText: "corks" }, "denied", "manifest allows 5 queries of EPISODIC"],
] as const;

it("a turn shows each query that was denied, failed, cut or faulty, with its reason", async () => {
  const test = server();
  const access = { memoryType: EPISODIC, enabled: true, kinds: ["taste"], maxQueries: 5 };
  await test.call("ToolService/RegisterTool", {
    manifest: {
      ...{ toolId: "cellar", version: "1" },
      memoryAccess: [access, { memoryType: SEMANTIC, enabled: false }],
    },
  });
  const kept = { kind: "taste", memoryType: EPISODIC };
  const memories = [
    { ...kept, content: "The wine cellar has room for forty bottles" },
    { ...kept, content: "The cellar is open on Fridays and Saturdays" },
    { ...kept, content: "The password of the wine cellar", restricted: true },
  ];
  await test.call("MemoryProvider/AddMany", { namespace, memories });
  await test.call("MemoryProvider/Add", {
    namespace: { ...namespace, agentId: "other" },
    ...{ ...kept, content: "Wine of another agent" },
  });
  const { results } = await test.call("ToolService/QueryMemoryUnary", {
    request: {
      ...{ requestId: "turn", toolId: "cellar", toolVersion: "1", userId: "ada" },
      agentContext: { agentId: "sommelier", taskId: "dinner" },
      queries: [
        ...queries.slice(0, -1).map(([queryId, fields]) => queryOf(queryId, fields)),
        queryOf("answered", {}),
        ...queries.slice(-1).map(([queryId, fields]) => queryOf(queryId, fields)),
      ],
    },
  });
  expect(JSON.stringify(results)).not.toMatch(/password|another agent/);
  const page = await test.open("#/u/ada/a/sommelier/turns");
  const turn = page.locator("tr").filter({ hasText: "dinner" });
  await turn.waitFor();
  await page.getByRole("link", { name: "turn", exact: true }).click();
  for (const [queryId, , event, reason] of queries) {
    const row = page.locator("tbody tr").filter({ hasText: reason });
    await row.first().waitFor();
    const cells = await row.first().locator("td").allTextContents();
    expect([cells[1], cells[4]]).toEqual([queryId, event]);
  }
  // What another agent remembers is not there for the tool: it is neither counted nor named.
  expect(await page.locator("main").textContent()).not.toMatch(/password|another agent/);
  await page.evaluate(`history.back()`);
  for (const event of ["denied", "failed", "truncated", "invalid"]) {
    await page.getByLabel("with a query that was").selectOption(event);
    await turn.waitFor();
  }
  await page.getByLabel("with a query that was").selectOption("cached");
  await page.getByText("No tool has asked").waitFor();
});

function queryOf(queryId: string, fields: object): object {
  return { queryId, memoryType: EPISODIC, queryText: "wine", budgetTokens: 500, ...fields };
}
