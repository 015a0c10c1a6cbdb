import { expect, test } from "vitest";
import { dayOf } from "../../../src/core/text/day-span.js";
import { mentionedDays } from "../../../src/core/text/times/day-ranges.js";
import { turnTraitsOf } from "../../../src/core/text/turn-traits.js";

/** The time of the turns, a Friday. */
const said = Date.UTC(2023, 9, 20, 12);

function daysOf(text: string): string[] {
  const iso = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
  const { times } = turnTraitsOf(text, "english");
  return mentionedDays(times, dayOf(said)).map(({ first, last }) =>
    first === last ? iso(first) : `${iso(first)}/${iso(last)}`,
  );
}

test.each([
  ["Where do you live?", true],
  ["Where do you live? 😊", true],
  ["She asked: “Really?”", true],
  ["Mia: What is that? [image: a dog in the sun]", true],
  ["你住在哪里？", true],
  ["أين تعيش؟", true],
  ["I live here. Do you?  I do.", false],
  ["See [is it here?]", false],
  ["", false],
])("%j is a question: %s", (text, isQuestion) => {
  expect(turnTraitsOf(text, "english").isQuestion).toBe(isQuestion);
});

test.each([
  ["I met her yesterday", ["2023-10-19"]],
  ["Last night was fun", ["2023-10-19"]],
  ["I leave tomorrow", ["2023-10-21"]],
  ["two days ago", ["2023-10-18"]],
  ["a couple of days ago", ["2023-10-18"]],
  ["a few days ago", ["2023-10-17"]],
  ["two weeks ago", ["2023-10-04/2023-10-08"]],
  ["a month ago", ["2023-09-01/2023-09-30"]],
  ["3 years ago", ["2020-01-01/2020-12-31"]],
  ["last Friday", ["2023-10-13"]],
  ["on Thursday", ["2023-10-19"]],
  ["next Monday", ["2023-10-23"]],
  ["last weekend", ["2023-10-14/2023-10-15"]],
  ["this weekend", ["2023-10-21/2023-10-22"]],
  ["last week", ["2023-10-09/2023-10-15"]],
  ["last month", ["2023-09-01/2023-09-30"]],
  ["next year", ["2024-01-01/2024-12-31"]],
  ["in October", ["2023-10-01/2023-10-31"]],
  ["back in November", ["2022-11-01/2022-11-30"]],
  ["on 3 May 2021", ["2021-05-03"]],
  ["on 31 June", ["2023-06-30"]],
  ["in early May 2021", ["2021-05-01/2021-05-10"]],
  ["at the end of June", ["2023-06-21/2023-06-30"]],
  ["I may march on", []],
  ["nothing of the kind", []],
])("the days that %j names are found", (text, days) => {
  expect(daysOf(text)).toEqual(days);
});

test("a turn names at most eight times", () => {
  expect(daysOf("yesterday, ".repeat(20))).toHaveLength(8);
});

test.each(["a ", "last ", "1 ", "in may ", "[", "? ", "ten  ", " ", "an couple of ", "10-10-"])(
  "the traits of a long text of repeated %j are found in time linear in its length",
  (part) => {
    // A pattern that backtracks would take minutes.
    const text = part.repeat(65_536 / part.length);
    expect(turnTraitsOf(text, "english").isQuestion).toBe(part === "? ");
  },
);
