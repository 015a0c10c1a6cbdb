import { describe, expect, it } from "vitest";
import { partOf, readSearchCases, searchKinds } from "../../bench/everyday/cases.js";
import { type Hit, judge } from "../../bench/everyday/judge.js";
import { noisePerCase, readNoise, selectNoise } from "../../bench/everyday/noise.js";
import { rankByBm25 } from "../../bench/everyday/plain-bm25.js";
import { judgeSkills, readSkillCases } from "../../bench/everyday/skill-cases.js";

const hit = (id: string | undefined, content = "text", tokens = 10): Hit => ({
  id,
  content,
  tokens,
});

describe("the data of bench/everyday", () => {
  const cases = searchKinds.flatMap(readSearchCases);
  const pool = readNoise();

  it("gives the cases of a kind different names", () => {
    for (const kind of searchKinds) {
      const names = cases.filter((one) => one.kind === kind).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it("has an expectation, a valid time and valid event times in each case", () => {
    const faulty = cases.filter(
      ({ expect: expectation, nowMs, memories }) =>
        Object.keys(expectation).length === 0 ||
        Number.isNaN(nowMs) ||
        [...memories.values()].some(({ eventTime }) => Number.isNaN(eventTime?.seconds ?? 0)),
    );
    expect(faulty.map(({ name }) => name)).toEqual([]);
  });

  it("has enough noise for each case", () => {
    const byTopics = new Map(cases.map((one) => [one.avoid.join(), one]));
    for (const one of byTopics.values())
      expect(selectNoise(pool, one), one.name).toHaveLength(noisePerCase);
  });

  it("has development cases and kept cases in each kind", () => {
    for (const kind of searchKinds)
      expect(new Set(cases.filter((one) => one.kind === kind).map(({ part }) => part)).size).toBe(
        2,
      );
  });

  it("expects only skills that exist", () => {
    const { skills, cases: skillCases } = readSkillCases();
    const ids = skills.map(({ id }) => id);
    for (const { expect: expectation } of skillCases)
      if ("finds" in expectation) expect(ids).toContain(expectation.finds);
  });
});

describe("the parts of the cases", () => {
  it("keep every third case", () => {
    expect([0, 1, 2, 3, 4, 5].map(partOf)).toEqual([
      "development",
      "development",
      "kept",
      "development",
      "development",
      "kept",
    ]);
  });
});

describe("the noise of a case", () => {
  it("is the same in each run, and of no topic that the case avoids", () => {
    const pool = readNoise();
    const one = { kind: "dates", name: "a case", avoid: ["pets", "music"] } as const;
    const noise = selectNoise(pool, one);
    expect(selectNoise(pool, one)).toEqual(noise);
    const topics = noise.map((text) => pool.find(({ content }) => content === text)?.topic);
    expect(topics).not.toContain("pets");
    expect(topics).not.toContain("music");
  });

  it("is refused for a topic that the pool does not have", () => {
    const one = { kind: "dates", name: "a case", avoid: ["opera"] } as const;
    expect(() => selectNoise(readNoise(), one)).toThrow("opera");
  });
});

describe("the judgement of a case", () => {
  const hits = [hit("a", "the red door"), hit("b"), hit(undefined), hit("c")];

  it.each([
    { first: ["b", "a"] },
    { amongFirst: { ids: ["b"], count: 2 } },
    { includes: ["c"], excludes: ["d"] },
    { onlyOneOf: ["a", "d"] },
    { only: ["a", "b"], hits: hits.slice(0, 2) },
    { mayInclude: ["a", "b"], includes: ["c"], otherTokensMax: 10 },
    { excerpt: { id: "a", text: "red" } },
  ])("has no fault when the hits meet %j", ({ hits: some = hits, ...expectation }) => {
    expect(judge(expectation, some)).toEqual([]);
  });

  it.each([
    [{ first: ["b"] }, "b is not first"],
    [{ amongFirst: { ids: ["c"], count: 3 } }, "c is not among the first 3"],
    [{ includes: ["d"] }, "d is not a hit"],
    [{ excludes: ["a"] }, "a is a hit"],
    [{ onlyOneOf: ["a", "b"] }, "2 of a, b are hits"],
    [{ only: ["a", "b", "c"] }, "1 other hits"],
    [{ includes: ["a"], excludes: ["d"], otherTokensMax: 20 }, "30 tokens of other hits"],
    [{ excerpt: { id: "a", text: "blue" } }, 'the text of a lacks "blue"'],
    [{ excerpt: { id: "d", text: "blue" } }, "d is no hit"],
  ])("names the fault of hits that do not meet %j", (expectation, fault) => {
    expect(judge(expectation, hits)).toEqual([fault]);
  });

  it("names a missing skill, and skills where none is expected", () => {
    expect(judgeSkills({ finds: "csv" }, ["pdf", "csv"])).toEqual([]);
    expect(judgeSkills({ finds: "csv" }, ["pdf"])).toEqual(["csv is not among the skills"]);
    expect(judgeSkills({ nothing: true }, [])).toEqual([]);
    expect(judgeSkills({ nothing: true }, ["pdf"])).toEqual(["1 skills instead of none"]);
  });
});

describe("plain BM25", () => {
  const ranked = (query: string, ...texts: string[]) =>
    rankByBm25(
      texts.map((content) => ({ content })),
      query,
    ).map(({ content }) => content);

  it("puts rare words before frequent ones, and leaves out texts without a word of the query", () => {
    expect(ranked("green boat", "a green hat", "a green coat", "a red boat", "a kite")).toEqual([
      "a red boat",
      "a green hat",
      "a green coat",
    ]);
  });

  it("prefers short texts", () => {
    expect(ranked("boat", "a boat with a sail and an engine", "a boat")).toEqual([
      "a boat",
      "a boat with a sail and an engine",
    ]);
  });

  it("compares Chinese by pairs of characters", () => {
    expect(ranked("妹妹在哪里", "我妹妹在杭州", "我哥哥很高")).toEqual(["我妹妹在杭州"]);
  });
});
