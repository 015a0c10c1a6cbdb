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

  it("the cases of a kind have different names", () => {
    for (const kind of searchKinds) {
      const names = cases.filter((one) => one.kind === kind).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it("each case has an expectation, a valid time and valid event times", () => {
    const faulty = cases.filter(
      ({ expect: expectation, nowMs, memories }) =>
        Object.keys(expectation).length === 0 ||
        Number.isNaN(nowMs) ||
        [...memories.values()].some(({ eventTime }) => Number.isNaN(eventTime?.seconds ?? 0)),
    );
    expect(faulty.map(({ name }) => name)).toEqual([]);
  });

  it("the pool has enough noise (texts on other topics) for each case", () => {
    const byTopics = new Map(cases.map((one) => [one.avoid.join(), one]));
    for (const one of byTopics.values())
      expect(selectNoise(pool, one), one.name).toHaveLength(noisePerCase);
  });

  it("each kind of case has development cases, and kept cases that only check the ranking", () => {
    for (const kind of searchKinds)
      expect(new Set(cases.filter((one) => one.kind === kind).map(({ part }) => part)).size).toBe(
        2,
      );
  });

  it("cases expect only skills that exist", () => {
    const { skills, cases: skillCases } = readSkillCases();
    const ids = skills.map(({ id }) => id);
    for (const { expect: expectation } of skillCases)
      if ("finds" in expectation) expect(ids).toContain(expectation.finds);
  });
});

describe("the parts of the cases", () => {
  it("every third case is a kept case", () => {
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
  it("the noise of a case is the same in each run, and avoids the topics of the case", () => {
    const pool = readNoise();
    const one = { kind: "dates", name: "a case", avoid: ["pets", "music"] } as const;
    const noise = selectNoise(pool, one);
    expect(selectNoise(pool, one)).toEqual(noise);
    const topics = noise.map((text) => pool.find(({ content }) => content === text)?.topic);
    expect(topics).not.toContain("pets");
    expect(topics).not.toContain("music");
  });

  it("a case cannot avoid a topic that the pool of noise does not have", () => {
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
  ])("hits that meet %j have no fault", ({ hits: some = hits, ...expectation }) => {
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
  ])("hits that do not meet %j have a named fault", (expectation, fault) => {
    expect(judge(expectation, hits)).toEqual([fault]);
  });

  it("a missing skill is a fault, and so is any skill where the case expects none", () => {
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

  it("plain BM25 puts rare words before frequent ones, and omits texts without a query word", () => {
    expect(ranked("green boat", "a green hat", "a green coat", "a red boat", "a kite")).toEqual([
      "a red boat",
      "a green hat",
      "a green coat",
    ]);
  });

  it("plain BM25 prefers short texts", () => {
    expect(ranked("boat", "a boat with a sail and an engine", "a boat")).toEqual([
      "a boat",
      "a boat with a sail and an engine",
    ]);
  });

  it("plain BM25 compares Chinese by pairs of characters", () => {
    expect(ranked("妹妹在哪里", "我妹妹在杭州", "我哥哥很高")).toEqual(["我妹妹在杭州"]);
  });
});
