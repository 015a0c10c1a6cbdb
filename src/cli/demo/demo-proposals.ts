import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ProposeEditRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { Confidence } from "#gen/vademecum/v1/proposal_pb.js";
import { adaTutor, benGuide, type DemoEvent, type DemoSpace } from "./demo-event.js";
import { known } from "./demo-memories.js";

type Edit = Omit<MessageInitShape<typeof ProposeEditRequestSchema>, "namespace" | "$typeName">;

/** What an approver does with a proposal, and how many days after it. */
type Verdict =
  | {
      readonly after: number;
      readonly by: "bea" | "carl";
      readonly approve: string | true;
      readonly actor?: string;
    }
  | { readonly after: number; readonly by: "bea" | "carl"; readonly reject: string };

const profile = [
  "Name: Ada Ortiz",
  "Studies: physics, second year, Madrid",
  "Likes: math",
  "Goal: a degree in physics",
  "Learns best from: pictures, then counterexamples",
  "Time for lessons: Tuesday and Friday after 18:00",
  "Homework: two exercises at a time",
];

const goals = ["Pass the exam in linear algebra", "Read one paper a week"];

const travel = [
  "Name: Ben Keller",
  "Home: Zurich",
  "Seat: aisle",
  "Health: no hazelnuts, order a special meal for each flight",
  "Works: 08:00 to 12:00, needs a quiet room",
];

function block(daysAgo: number, userId: string, label: string, title: string, lines: string[]) {
  const happen: DemoEvent["happen"] = (as) =>
    as("bea").blocks.putBlock({ userId, label, title, body: lines.join("\n") });
  return { daysAgo, happen };
}

const onProfile = { case: "blockLabel", value: "student_profile" } as const;
const onGoals = { case: "blockLabel", value: "goals" } as const;
const onTravel = { case: "blockLabel", value: "travel_profile" } as const;

/** The id of the last proposal without a verdict, by a name. */
const undecided = new Map<string, string>();

/** What waits for a decision. */
const waiting: readonly DemoEvent[] = [
  ...proposal(adaTutor, 3.1, {
    target: onProfile,
    oldString: "Likes: math, the violin",
    newString: "Likes: math, above all geometry; the violin",
    reasoning: "She asked for more geometry three times this week.",
  }),
  ...proposal(adaTutor, 2.6, {
    target: onProfile,
    oldString: "Likes: math, the violin",
    newString: "Likes: math, the violin, acoustics",
    reasoning: "She liked the example with the strings.",
    confidence: Confidence.LOW,
  }),
  ...proposal(adaTutor, 2.5, {
    target: onProfile,
    change: { case: "append", value: "Wants a summary at the end of each lesson" },
    reasoning: "She asked for it in writing.",
  }),
  ...proposal(adaTutor, 2.3, {
    target: onGoals,
    change: { case: "append", value: "Give a talk about eigenvalues in the seminar" },
    reasoning: "Her professor asked her to.",
  }),
  ...proposal(adaTutor, 2.2, {
    target: onGoals,
    oldString: "Read one paper a week",
    newString: "Read three papers a week",
    reasoning: "She read three papers again.",
  }),
  ...proposal(adaTutor, 2.1, {
    target: onGoals,
    change: { case: "newBody", value: `${goals.join("\n")}\nGet an A in every exam` },
    reasoning: "A clean list of her goals.",
    confidence: Confidence.LOW,
  }),
  {
    daysAgo: 1.6,
    happen: (as) =>
      as("bea").blocks.putBlock({
        userId: "ada",
        label: "goals",
        title: "Goals",
        body: [
          ...goals,
          "Understand the first ideas of quantum mechanics before the summer",
          "Sleep eight hours",
        ].join("\n"),
      }),
  },
  ...proposal(adaTutor, 1.2, {
    target: onGoals,
    oldString: "Pass the exam in linear algebra",
    newString: "Start with Hilbert spaces in January",
    reasoning: "She has passed the exam with 8.5 of 10.",
  }),
  ...proposal(benGuide, 0.9, {
    target: onTravel,
    change: { case: "append", value: "Changes trains with at least 20 minutes" },
    reasoning: "He missed a connection with 9 minutes in Zurich.",
    confidence: Confidence.HIGH,
  }),
  ...proposal(benGuide, 0.4, {
    target: onTravel,
    oldString: "Home: Zurich",
    newString: "Home: \u202EhciruZ\u202C, soon Bern",
    reasoning: "Copied from a message of his.",
  }),
  {
    daysAgo: 0.08,
    happen: (as) =>
      as("guide").memoryProvider.proposeEdit({
        namespace: benGuide,
        target: { case: "memoryId", value: known.allergyId },
        oldString: "other nuts are fine",
        newString: "almonds are fine, other nuts not tested",
        reasoning: "He said so when he ordered the meal for Madeira.",
        confidence: Confidence.MEDIUM,
      }),
  },
];

/** Blocks, and proposals in every state. */
export const edits: readonly DemoEvent[] = [
  block(61, "ada", "student_profile", "Student profile", profile),
  block(61, "ada", "goals", "Goals", goals),
  block(57, "ben", "travel_profile", "Travel profile", travel),
  block(57, "ben", "house_rules", "House rules", [
    "Answer in English, times in 24 hours",
    "Ask before you book anything that cannot be cancelled",
  ]),
  ...proposal(
    adaTutor,
    48,
    {
      target: onProfile,
      oldString: "Likes: math",
      newString: "Likes: math, the violin",
      reasoning: "She brought up her violin in two lessons.",
    },
    { after: 0.4, by: "bea", approve: true },
  ),
  ...proposal(
    adaTutor,
    43,
    {
      target: onGoals,
      change: { case: "append", value: "Understand quantum mechanics before the summer" },
      reasoning: "She named it as the reason why she wants to learn about eigenvalues.",
    },
    {
      after: 1.1,
      by: "carl",
      approve: "Understand the first ideas of quantum mechanics before the summer",
    },
  ),
  ...proposal(
    adaTutor,
    37,
    {
      target: onProfile,
      oldString: "Homework: two exercises at a time",
      newString: "Homework: none, she has too little time",
      reasoning: "She did not hand in the last two exercises.",
      confidence: Confidence.LOW,
    },
    { after: 0.2, by: "bea", reject: "This is not true. She was ill that week." },
  ),
  // Nobody decides on this one, so it expires after 30 days.
  ...proposal(adaTutor, 34, {
    target: onProfile,
    change: { case: "append", value: "Favourite colour: green" },
    reasoning: "She used a green pen.",
  }),
  ...proposal(
    benGuide,
    29,
    {
      target: onTravel,
      oldString: "Seat: aisle",
      newString: "Seat: aisle; single cabin on night trains",
      reasoning: "He said that he never sleeps in shared cabins.",
    },
    { after: 0.8, by: "carl", approve: true, actor: "Ben Keller" },
  ),
  // Approved after its words were gone: conflicted.
  ...proposal(benGuide, 21, {
    target: onTravel,
    oldString: "Seat: aisle;",
    newString: "Seat: aisle, near the door;",
    reasoning: "He had to run in Zurich.",
  }),
  ...proposal(
    benGuide,
    20.9,
    {
      target: onTravel,
      oldString: "Seat: aisle; single cabin",
      newString: "Seat: by the window; single cabin",
      reasoning: "He wrote that he enjoyed the view.",
    },
    { after: 0.5, by: "carl", approve: true },
  ),
  decideLast("trip-seat", 20),
  ...proposal(
    adaTutor,
    12,
    {
      target: onGoals,
      oldString: "Read one paper a week",
      newString: "Read three papers a week",
      reasoning: "She read three papers last week.",
    },
    { after: 1, by: "bea", reject: "Once is no habit. Propose it again in a month." },
  ),
  ...waiting,
];

function proposal(
  namespace: DemoSpace,
  daysAgo: number,
  edit: Edit,
  verdict?: Verdict,
): readonly DemoEvent[] {
  let id = "";
  const proposed: DemoEvent = {
    daysAgo,
    happen: async (as) => {
      const request = { namespace, confidence: Confidence.MEDIUM, ...edit };
      id = (await as(namespace.agentId).memoryProvider.proposeEdit(request)).proposal?.id ?? "";
      if (daysAgo === 21) undecided.set("trip-seat", id);
    },
  };
  if (verdict === undefined) return [proposed];
  return [
    proposed,
    {
      daysAgo: daysAgo - verdict.after,
      happen: (as) => {
        const { proposals } = as(verdict.by);
        const target = { userId: namespace.userId, id };
        if ("reject" in verdict)
          return proposals.rejectProposal({ ...target, reason: verdict.reject });
        const { approve, actor } = verdict;
        return proposals.approveProposal(
          approve === true ? target : { ...target, editedNewString: approve },
          { headers: actor === undefined ? {} : { "vademecum-actor": actor } },
        );
      },
    },
  ];
}

/** Approves a proposal whose words are gone. The server refuses it, and keeps the three texts. */
function decideLast(name: string, daysAgo: number): DemoEvent {
  return {
    daysAgo,
    happen: (as) =>
      as("carl")
        .proposals.approveProposal({ userId: "ben", id: undecided.get(name) ?? "" })
        .catch(() => undefined),
  };
}
