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
  [`${sommelier}/search?q=which%20wine&budget=60&compare=on&b.budget=12`, "hits on both sides"],
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
        const found = (await page.evaluate(`axe.run(document, {
          runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
        }).then(({ violations }) => violations.map(({ id, nodes }) =>
          id + ": " + nodes.map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary).slice(0, 3).join(" | ")))`)) as string[];
        faults.push(...found.map((fault) => `${place[0]} ${width} ${colorScheme} ${fault}`));
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

it("a page keeps its place when it is loaded again", async () => {
  const page = await server().open("#/u/ada/a/tutor?type=semantic&contains=proof");
  await page.getByText("writes good proofs").first().waitFor();
  await page.reload();
  await page.getByText("writes good proofs").first().waitFor();
  expect(await page.getByText("1 of 110 memories").count()).toBe(1);
});
