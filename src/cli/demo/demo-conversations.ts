import { adaTutor, benGuide, type DemoEvent, type DemoSpace } from "./demo-event.js";

/** A lesson: what Ada wanted to know, where she went wrong, and what helped. */
const lessons = [
  [
    "vectors",
    "What is a vector space, really?",
    "I thought that vectors must be arrows.",
    "Polynomials also add and scale, so they are vectors too.",
  ],
  [
    "independence",
    "How do I see that vectors are independent?",
    "I only compared two of them.",
    "Put them into a matrix and count the pivots.",
  ],
  [
    "bases",
    "Why do all bases have the same size?",
    "I mixed up a basis with a generating set.",
    "Exchange one vector at a time, and the count never changes.",
  ],
  [
    "kernels",
    "What does the kernel tell me?",
    "I forgot the zero vector.",
    "The kernel is what the map cannot tell apart from zero.",
  ],
  [
    "rank",
    "Why are row rank and column rank equal?",
    "I tried to prove it with determinants.",
    "Both count the pivots of the same reduced matrix.",
  ],
  [
    "determinants",
    "What does a determinant measure?",
    "I computed it by hand for five rows.",
    "It is the factor by which a map scales volumes.",
  ],
  [
    "inverses",
    "When has a matrix an inverse?",
    "I divided by a determinant of zero.",
    "Exactly when its columns are a basis.",
  ],
  [
    "eigenvalues",
    "How do I find eigenvalues quickly?",
    "I lost a sign in the characteristic polynomial.",
    "Check the trace and the determinant at the end.",
  ],
  [
    "eigenvectors",
    "Do eigenvectors to different values stay independent?",
    "I assumed it without a reason.",
    "Apply the map to a shortest relation, and subtract.",
  ],
  [
    "diagonal",
    "When is a matrix diagonalisable?",
    "I thought that every matrix is.",
    "When the eigenvectors are a basis. A shear has too few.",
  ],
  [
    "inner products",
    "What is an inner product for?",
    "I used the dot product in every basis.",
    "It gives lengths and angles, also to functions.",
  ],
  [
    "projections",
    "How do I project onto a plane?",
    "I forgot to normalise.",
    "Take an orthonormal basis, and add up the parts.",
  ],
  [
    "least squares",
    "Why does least squares need the transpose?",
    "I solved a system that had no solution.",
    "The error must be orthogonal to all columns.",
  ],
  [
    "symmetry",
    "What is special about symmetric matrices?",
    "I looked for complex eigenvalues.",
    "Their eigenvalues are real, and the eigenvectors orthogonal.",
  ],
  [
    "exam practice",
    "Can we do an exam under time?",
    "I spent half of the time on one proof.",
    "Do the calculations first, then the proofs.",
  ],
  [
    "exam review",
    "Where did I lose points?",
    "I left out two reasons in a proof.",
    "Write one reason for each step, even a short one.",
  ],
] as const;

const asks = [
  "Tell me first what you have tried.",
  "What would you answer without looking it up?",
  "Draw it. What do you see?",
  "Which example do you know best?",
  "Let us take it apart. What is given?",
];
const thanks = [
  "Now I see it. Can I have two exercises for tomorrow?",
  "That was the missing piece.",
  "So my mistake was in the first line. Again, please.",
];
const ends = [
  "One to compute, one to prove. I put them into your plan.",
  "Write it down in your own words before Friday.",
  "Try the same with a matrix of three rows.",
  "Good. We go on from here next time.",
];

const trips = [
  [
    "lisbon",
    "A long weekend in Lisbon in November, please.",
    "Which part of the town do you like?",
    "Somewhere quiet. I have to work in the mornings.",
    "Then Lapa, with a tram to the centre.",
  ],
  [
    "night train",
    "Is there a night train to Vienna?",
    "Yes, from Zurich at 21:40. A single cabin costs more.",
    "A single cabin. I never sleep in shared ones.",
    "Noted. I will look for single cabins from now on.",
  ],
  [
    "conference",
    "I speak in Ghent on the 14th. Book nothing before noon.",
    "Will you need a projector?",
    "They have one. I need an aisle seat on the train.",
    "Aisle seat, arrival the evening before.",
  ],
  [
    "family",
    "My parents come along to Porto. My father walks with a stick.",
    "Then no hills on the first day?",
    "Right, and a lift in the hotel.",
    "Hotel with a lift at the Douro, on the flat side.",
  ],
  [
    "museum",
    "Which museums in Madrid are open on Monday?",
    "The Reina Sofia is open, the Prado too.",
    "Then the Prado at eight, before the crowds.",
    "It opens at ten. I would go at ten.",
  ],
  [
    "hazelnuts",
    "The plane had only a nut bar again.",
    "Shall I order a meal without nuts?",
    "Always. Hazelnuts make me ill.",
    "I will order it with each flight.",
  ],
  [
    "winter",
    "Where is it warm in January and not far?",
    "Seville has 16 degrees, Madeira 19.",
    "Madeira then. A week, with one day off hiking.",
    "Funchal, and levadas on six of the days.",
  ],
] as const;

/** Two months of conversations, as the hosts of two agents append them. */
export const conversations: readonly DemoEvent[] = [
  ...lessons.flatMap(([topic, question, mistake, help], index) =>
    conversation(adaTutor, 60 - index * 3.6, `lesson ${index + 1}: ${topic}`, [
      ["Ada", question],
      ["tutor", asks[index % asks.length] ?? ""],
      ["Ada", mistake],
      ["tutor", help],
      ["Ada", thanks[index % thanks.length] ?? ""],
      ["tutor", ends[index % ends.length] ?? ""],
    ]),
  ),
  ...trips.flatMap(([name, ask, answer, more, end], index) =>
    conversation(benGuide, 56 - index * 7.5, `trip: ${name}`, [
      ["Ben", ask],
      ["guide", answer],
      ["Ben", more],
      ["guide", end],
    ]),
  ),
];

type Turn = readonly [author: string, content: string];

/** A conversation of a few minutes, in two calls. */
function conversation(
  namespace: DemoSpace,
  daysAgo: number,
  threadId: string,
  turns: readonly Turn[],
): DemoEvent[] {
  const half = Math.ceil(turns.length / 2);
  const append = (part: readonly Turn[], minutes: number): DemoEvent => ({
    daysAgo: daysAgo - minutes / 1440,
    happen: (as) =>
      as(namespace.agentId).threads.appendTurns({
        namespace,
        threadId,
        turns: part.map(([author, content]) => ({ author, content })),
      }),
  });
  return [append(turns.slice(0, half), 0), append(turns.slice(half), 6)];
}
