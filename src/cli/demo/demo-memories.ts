import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import {
  adaSommelier,
  adaTutor,
  benGuide,
  benSommelier,
  type DemoEvent,
  type DemoSpace,
} from "./demo-event.js";

const { EPISODIC, SEMANTIC, WORKING } = MemoryType;

type Fact = readonly [
  daysAgo: number,
  type: MemoryType,
  importance: number,
  tags: string,
  content: string,
];

const ofTutor: readonly Fact[] = [
  [60, SEMANTIC, 0.8, "person", "Ada studies physics in her second year, in Madrid"],
  [
    59,
    SEMANTIC,
    0.7,
    "learning",
    "Ada understands a definition best from a picture, then from a counterexample",
  ],
  [55, EPISODIC, 0.5, "exercise", "Ada solved all five exercises about independence without help"],
  [52, SEMANTIC, 0.6, "schedule", "Ada has time for lessons on Tuesday and Friday after 18:00"],
  [47, EPISODIC, 0.5, "mistake", "Ada forgot the zero vector when she computed a kernel"],
  [
    44,
    SEMANTIC,
    0.6,
    "learning",
    "Long lists of exercises discourage Ada; two at a time work well",
  ],
  [
    41,
    EPISODIC,
    0.4,
    "exercise",
    "Ada computed a determinant of five rows by hand and lost a sign",
  ],
  [
    36,
    SEMANTIC,
    0.7,
    "goal",
    "Ada wants to understand quantum mechanics, so eigenvalues motivate her",
  ],
  [33, EPISODIC, 0.5, "mistake", "Ada assumed that every matrix is diagonalisable"],
  [26, SEMANTIC, 0.5, "person", "Ada plays the violin and likes examples from acoustics"],
  [22, EPISODIC, 0.6, "exam", "In the mock exam, Ada spent half of the time on one proof"],
  [
    15,
    SEMANTIC,
    0.7,
    "learning",
    "Ada writes good proofs, but leaves out reasons when she is in a hurry",
  ],
  [8, EPISODIC, 0.6, "exam", "Ada got 8.5 of 10 in the exam in linear algebra"],
  [
    3,
    WORKING,
    0.5,
    "plan",
    "Next lesson: a short introduction to Hilbert spaces, with strings as the example",
  ],
];

const ofAdaSommelier: readonly Fact[] = [
  [50, SEMANTIC, 0.7, "wine", "Ada prefers dry red wine from Burgundy"],
  [49, SEMANTIC, 0.6, "budget", "Ada spends at most 18 euros a bottle, 30 for a present"],
  [
    38,
    EPISODIC,
    0.5,
    "wine dinner",
    "Ada served a Mencia from Bierzo at her birthday, and everybody liked it",
  ],
  [31, SEMANTIC, 0.5, "food", "Ada cooks fish on Fridays"],
  [18, EPISODIC, 0.4, "wine", "Ada found the Albariño of last week too sharp"],
  [6, SEMANTIC, 0.6, "dinner", "Dinner with Tom and Lea on Saturday; Tom drinks no alcohol"],
];

const ofGuide: readonly Fact[] = [
  [56, SEMANTIC, 0.9, "health", "Ben is allergic to hazelnuts"],
  [55, SEMANTIC, 0.7, "train", "Ben wants an aisle seat, and never a shared cabin"],
  [49, EPISODIC, 0.5, "trip", "Ben stayed in Lapa in Lisbon and found it quiet enough to work"],
  [41, SEMANTIC, 0.6, "schedule", "Ben works from eight to noon, also when he travels"],
  [34, SEMANTIC, 0.7, "family", "Ben's father walks with a stick; no stairs and no steep streets"],
  [27, EPISODIC, 0.5, "trip", "Ben missed a connection in Zurich with 9 minutes to change"],
  [20, SEMANTIC, 0.6, "train", "Ben needs at least 20 minutes to change trains"],
  [12, EPISODIC, 0.4, "museum", "Ben liked the Prado, and left after two hours"],
  [5, WORKING, 0.5, "plan", "Madeira in January: seven days, hiking on six of them"],
];

const ofBenSommelier: readonly Fact[] = [
  [30, SEMANTIC, 0.6, "wine", "Ben drinks white wine only, and likes it from the Rheingau"],
  [11, EPISODIC, 0.4, "wine", "Ben took two bottles of Riesling to Porto as a present"],
];

/** The ids of memories that later events change. They are known once the memories are stored. */
export const known = { allergyId: "", budgetId: "" };

function memoriesOf(namespace: DemoSpace, facts: readonly Fact[]): DemoEvent[] {
  return facts.map(([daysAgo, memoryType, importance, tags, content]) => ({
    daysAgo,
    happen: async (as) => {
      const fact = { memoryType, importance, tags: tags.split(" "), content };
      const { id } = await as(namespace.agentId).memoryProvider.add({
        namespace,
        ...fact,
        source: "conversation",
      });
      if (content.includes("hazelnuts")) known.allergyId = id;
      if (content.includes("18 euros")) known.budgetId = id;
    },
  }));
}

/** What three agents have learned about two users. */
export const facts: readonly DemoEvent[] = [
  ...memoriesOf(adaTutor, ofTutor),
  ...memoriesOf(adaSommelier, ofAdaSommelier),
  ...memoriesOf(benGuide, ofGuide),
  ...memoriesOf(benSommelier, ofBenSommelier),
  {
    // A fact that has changed: the new memory replaces the old one.
    daysAgo: 14,
    happen: (as) =>
      as("sommelier").memoryProvider.add({
        namespace: adaSommelier,
        content: "Ada spends at most 22 euros a bottle, 40 for a present",
        memoryType: SEMANTIC,
        importance: 0.6,
        tags: ["budget"],
        supersedes: known.budgetId,
      }),
  },
  {
    // A memory with an earlier version.
    daysAgo: 40,
    happen: (as) =>
      as("guide").memoryProvider.update({
        namespace: benGuide,
        id: known.allergyId,
        changes: { content: "Ben is allergic to hazelnuts; other nuts are fine" },
      }),
  },
];
