import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import type { Filling } from "./filling.js";
import { fillingsOf, largestNumber, rootFillings } from "./fillings.js";
import type { FieldValues } from "./plain-request.js";

/** Depth of nested messages up to which fields are filled. */
const depthMax = 4;

/** The first numbers of items to try for the outermost list of a path. Most lists may have 100. */
const repeatCounts = [100, 10, 1, 10_000];

/**
 * A field of a request, given by its path, and the ways to fill it. An empty path stands for the
 * request itself.
 */
export interface Target {
  readonly path: readonly DescField[];
  readonly fillings: readonly Filling[];
}

/** A filled field. */
export interface Part {
  readonly target: Target;
  readonly filling: Filling;
  readonly count: number;
  /** Number of items in the outermost list of the path. */
  readonly repeat: number;
}

/** A request, described by how it differs from the plain request. */
export interface Shape {
  readonly encoding: "binary" | "json";
  /** Position in the list of field values. It selects the records that the request reads. */
  readonly world: number;
  /** The number of messages in a stream of requests. */
  readonly messages: number;
  readonly parts: readonly Part[];
}

/** Returns the fields of a request, including the fields of its messages. */
export function targetsOf({ input }: DescMethod, values: FieldValues): readonly Target[] {
  const targets: Target[] = [{ path: [], fillings: rootFillings() }];
  const visit = (schema: DescMessage, path: readonly DescField[]) => {
    for (const field of schema.fields) {
      const fieldPath = [...path, field];
      targets.push({ path: fieldPath, fillings: fillingsOf(field, values) });
      const { message } = field;
      const isOpen = message !== undefined && !message.typeName.startsWith("google.protobuf.");
      if (isOpen && field.fieldKind !== "map" && fieldPath.length < depthMax)
        visit(message, fieldPath);
    }
  };
  visit(input, []);
  return targets;
}

/**
 * Yields shapes with one filled field each. Each round yields one shape for each field. The first
 * shapes of a field have the largest valid counts. Half of the shapes also have the largest valid
 * numbers, such as the limit of a page.
 */
export function* startingShapes(
  random: () => number,
  { targets, worlds }: Mutations,
): Generator<Shape> {
  const numbers = targets
    .filter(({ path }) => path.every(({ fieldKind }) => fieldKind !== "list"))
    .flatMap((target) => {
      const filling = target.fillings.find(({ name }) => name === largestNumber);
      return filling === undefined
        ? []
        : [{ target, filling, count: filling.counts[0] ?? 1, repeat: 1 }];
    });
  const queues = targets.map((target) => partsOf(random, target));
  while (queues.some((queue) => queue.length > 0))
    for (const part of queues.flatMap((queue) => queue.splice(0, 1)))
      yield {
        encoding: random() < 0.5 ? "json" : "binary",
        world: Math.floor(random() * worlds),
        messages: 1,
        parts: random() < 0.5 ? [...numbers, part] : [part],
      };
}

/** Returns the ways to fill a target: first each filling once with a valid count, then the rest. */
function partsOf(random: () => number, target: Target): Part[] {
  const repeats = isRepeatable(target) ? repeatCounts : [1];
  const parts = shuffled(random, [...target.fillings]).flatMap((filling) =>
    filling.counts.flatMap((count, countAt) =>
      repeats.map((repeat, repeatAt) => ({ target, filling, count, repeat, countAt, repeatAt })),
    ),
  );
  const [valid, rest] = [
    parts.filter(({ countAt, repeatAt }) => countAt === 0 && repeatAt === 0),
    parts.filter(({ countAt, repeatAt }) => countAt !== 0 || repeatAt !== 0),
  ];
  return [...valid, ...shuffled(random, rest)].map(({ filling, count, repeat }) => ({
    target,
    filling,
    count,
    repeat,
  }));
}

/** Changes a shape a little: a count, a field, the encoding, or the records that it reads. */
export function mutateShape(
  random: () => number,
  shape: Shape,
  { targets, worlds, isStream }: Mutations,
): Shape {
  const at = Math.floor(random() * shape.parts.length);
  const part = shape.parts[at] as Part;
  const replaced = (next: Part) => ({
    ...shape,
    parts: shape.parts.map((other, index) => (index === at ? next : other)),
  });
  const choice = random();
  if (choice < 0.3) return replaced({ ...part, count: scaled(random, part.count) });
  if (choice < 0.4) return replaced({ ...part, repeat: Math.ceil(scaled(random, part.repeat)) });
  if (choice < 0.5) return { ...shape, encoding: shape.encoding === "json" ? "binary" : "json" };
  if (choice < 0.6) return { ...shape, world: Math.floor(random() * worlds) };
  if (choice < 0.7 && isStream)
    return { ...shape, messages: Math.min(100, Math.ceil(scaled(random, shape.messages * 2))) };
  if (choice < 0.8 && shape.parts.length > 1)
    return { ...shape, parts: shape.parts.filter((_, index) => index !== at) };
  return { ...shape, parts: [...shape.parts, randomPart(random, targets)] };
}

/** What a mutation may choose from. */
export interface Mutations {
  readonly targets: readonly Target[];
  readonly worlds: number;
  /** Whether the method takes a stream of requests. */
  readonly isStream: boolean;
}

/** Describes a shape in a line. */
export function describeShape({ encoding, world, messages, parts }: Shape): string {
  const texts = parts.map(({ target, filling, count, repeat }) => {
    const path = target.path.map(({ name }) => name).join(".") || "request";
    const size = count === Infinity ? "as many as fit" : Math.floor(count).toLocaleString("en");
    const times = repeat === 1 ? "" : ` in up to ${repeat.toLocaleString("en")} items`;
    return `${path}: ${filling.name}, ${size}${times}`;
  });
  const stream = messages === 1 ? "" : `${messages} messages; `;
  return `${encoding === "json" ? "JSON" : "binary"}, records ${world}; ${stream}${texts.join("; ")}`;
}

function randomPart(random: () => number, targets: readonly Target[]): Part {
  const target = sample(random, targets);
  const filling = sample(random, target.fillings);
  const repeat = isRepeatable(target) ? sample(random, repeatCounts) : 1;
  return { target, filling, count: sample(random, filling.counts), repeat };
}

/** Whether the field is in an item of a list, so that the field may occur several times. */
function isRepeatable({ path }: Target): boolean {
  return path.slice(0, -1).some(({ fieldKind }) => fieldKind === "list");
}

function scaled(random: () => number, count: number): number {
  const finite = Math.min(count, 4_000_000);
  return Math.max(1, finite * 2 ** (random() * 4 - 2));
}

/** Returns a random item of a list that is not empty. */
export function sample<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function shuffled<T>(random: () => number, list: T[]): T[] {
  for (let i = list.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [list[i], list[other]] = [list[other] as T, list[i] as T];
  }
  return list;
}
