import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fillDemoFolder } from "../../../src/cli/demo/fill-demo-folder.js";
import { startTestServer } from "../../e2e/harness/test-server.js";
import { useConsole } from "./browser.js";

const folder = await mkdtemp(join(tmpdir(), "vademecum-pages-"));
const data = join(folder, "data");
beforeAll(() => fillDemoFolder(data, Date.now(), new Writable({ write: (_, __, done) => done() })));
afterAll(() => rm(folder, { recursive: true }));
const server = useConsole(() => startTestServer({ provider: "level", data }));

const tutor = "#/u/ada/a/tutor";
const sommelier = "#/u/ada/a/sommelier";

/** Each page of the console, with a text that is there once the page is complete. */
const places: readonly (readonly [string, string])[] = [
  ["#/inbox", "+1 rival"],
  ["#/decided", "with edits"],
  ["#/users", "ben"],
  ["#/u/ada", "static-256"],
  ["#/u/ada/b/goals", "Versions"],
  [tutor, "Hilbert"],
  [`${tutor}/timeline`, "lesson 16"],
  [`${tutor}/threads`, "lesson 1: vectors"],
  [`${tutor}/threads/lesson%201%3A%20vectors`, "vector space"],
  [`${sommelier}/turns`, "r-dinner-2"],
  [`${sommelier}/turns/r/r-dinner-2`, "denied"],
  [`${tutor}/skills`, "stuck in a proof"],
  [`${sommelier}/search?q=which%20wine&budget=60`, "returned"],
  [`${sommelier}/search?q=which%20wine&budget=60&compare=on&b.budget=12`, "on both sides"],
  ["#/tools", "wine_recommender"],
  ["#/runs", "lisbon-weekend"],
  ["#/runs/lisbon-weekend", "open question"],
  ["#/server", "Calls in this time"],
  ["#/server/jobs", "prune"],
  ["#/server/slow", "slowest calls of each minute"],
  ["#/server/audit", "holds no texts"],
];

async function goTo(page: Page, [place, text]: readonly [string, string]): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
  await page.getByText(text).first().waitFor();
}

it("no page has a fault of accessibility, in light and dark, narrow and wide", async () => {
  const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  const axe = await readFile(path, "utf8");
  const page = await server().open();
  await page.getByText("● live").waitFor();
  await page.evaluate(`${axe}; undefined`);
  const faults: string[] = [];
  const check = async (name: string) => {
    await page.evaluate(
      `document.querySelectorAll("details").forEach((it) => { it.open = true; })`,
    );
    const found = (await page.evaluate(`axe.run(document, {
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
      }).then(({ violations }) => violations.map(({ id, nodes }) =>
        id + ": " + nodes.map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary).slice(0, 3).join(" | ")))`)) as string[];
    faults.push(...found.map((fault) => `${name} ${fault}`));
  };
  for (const [width, height] of [
    [1440, 900],
    // The size that a page has at a zoom of 200 %.
    [720, 450],
    [360, 800],
  ] as const)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      for (const place of places) {
        await goTo(page, place);
        if (place[0] === "#/inbox") await page.keyboard.press("j");
        await check(`${place[0]} ${width} ${colorScheme}`);
      }
      for (const key of ["?", "c", "Control+k", "r"]) {
        await goTo(page, ["#/inbox", "+1 rival"]);
        await page.keyboard.press("j");
        await page.getByTestId("diff").waitFor();
        await page.keyboard.press(key);
        await page.getByRole("dialog").waitFor();
        await check(`dialog of ${key} ${width} ${colorScheme}`);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "hidden" });
        await page.keyboard.press("Escape");
      }
    }
  expect(faults).toEqual([]);
});

it("a walk through all pages asks no other host for anything", async () => {
  const test = server();
  const page = await test.open();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByText("● live").waitFor();
  for (const place of places) await goTo(page, place);
  expect(asked.length).toBeGreaterThan(places.length);
  expect(
    asked.filter((url) => !url.startsWith(`${test.url}/`) && !url.startsWith("data:")),
  ).toEqual([]);
});

it("no text or id is so long that a page scrolls sideways", async () => {
  const test = server();
  const word = "W".repeat(400);
  const userId = "u".repeat(256);
  const agentId = "a".repeat(256);
  const namespace = { userId, agentId };
  const threadId = "t".repeat(256);
  const label = "b".repeat(128);
  const memory = { content: word, tags: ["t".repeat(64)], source: "s".repeat(256), threadId };
  const { id = "" } = await test.call("MemoryProvider/Add", { namespace, ...memory });
  await test.call("ThreadService/AppendTurns", {
    ...{ namespace, threadId, turns: [{ author: "W".repeat(256), content: word }] },
  });
  await test.call("SkillService/StoreSkill", { namespace, context: word, lesson: word });
  for (const body of [word, `${word} ${word}`])
    await test.call("BlockService/PutBlock", { userId, label, body });
  for (const append of [word, `more ${word}`])
    await test.call("MemoryProvider/ProposeEdit", {
      ...{ namespace, blockLabel: label, append, reasoning: word },
    });
  const { proposals } = await test.call("ProposalService/ListProposals", { userId });
  const [proposal] = proposals as { id: string }[];
  const rejection = { userId, id: proposal?.id, reason: word };
  await test.call("ProposalService/RejectProposal", rejection);
  const entry = { runId: "r".repeat(256), key: "k".repeat(256), value: word };
  await test.call("KeyValueService/WriteKey", entry);
  const space = `#/u/${userId}/a/${agentId}`;
  const page = await test.open();
  await page.getByText("● live").waitFor();
  const wide: string[] = [];
  for (const [width, height] of [
    [1440, 900],
    [360, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const [place, text] of [
      [
        `#/inbox/${userId}/${proposals === undefined ? "" : (proposals as { id: string }[])[1]?.id}`,
        "Approve",
      ],
      ["#/decided", word],
      ["#/users", userId],
      [`#/u/${userId}`, agentId],
      [`#/u/${userId}/b/${label}`, "Versions"],
      [`${space}/m/${String(id)}`, threadId],
      [`${space}/timeline`, word],
      [`${space}/threads`, threadId],
      [`${space}/threads/${threadId}`, word],
      [`${space}/skills`, word],
      [`${space}/search?q=${word}`, "returned"],
      ["#/runs", entry.runId],
      [`#/runs/${entry.runId}`, entry.key],
      ["#/server/slow", userId],
    ] as const) {
      // A list shows the beginning of a text.
      await goTo(page, [place, text.slice(0, 100)]);
      const excess = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      if (excess !== 0)
        wide.push(`${place.slice(0, 12)}… ${place.slice(-12)} ${width}: ${String(excess)}`);
    }
  }
  expect(wide).toEqual([]);
});

it("a page keeps its place when it is loaded again", async () => {
  const page = await server().open("#/u/ada/a/tutor?type=semantic&contains=proof");
  await page.getByText("writes good proofs").first().waitFor();
  await page.reload();
  await page.getByText("writes good proofs").first().waitFor();
  expect(await page.getByText("1 of 110 memories").count()).toBe(1);
});
