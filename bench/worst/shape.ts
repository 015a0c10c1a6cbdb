import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { type Filling, fillingsOf, rootFillings } from "./fillings.js";
import type { FieldValues } from "./plain-request.js";

/** Messages inside of each other, up to which fields are filled. */
const depthMax = 4;

/** Messages of one field again and again, and messages in a stream, to start with. */
const repeatCounts = [1, 10, 100, 10_000];

/** A field of a request by its path, and the ways to fill it. The path of the request is empty. */
export interface Target {
  readonly path: readonly DescField[];
  readonly fillings: readonly Filling[];
}

/** A filled field. */
export interface Part {
  readonly target: Target;
  readonly filling: Filling;
  readonly count: number;
  /** How often the outermost field of the path occurs. */
  readonly repeat: number;
}

/** A request, described by how it differs from the plain one. */
export interface Shape {
  readonly encoding: "binary" | "json";
  /** Which records of the server the request reads: a place in the list of field values. */
  readonly world: number;
  /** The number of messages in a stream of requests. */
  readonly messages: number;
  readonly parts: readonly Part[];
}

/** Returns the fields of a request, those of its messages included. */
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

/** Returns a shape for each field, way to fill it, initial count and encoding. */
export function* startingShapes(targets: readonly Target[], worlds: number): Generator<Shape> {
  for (const target of targets)
    for (const filling of target.fillings)
      for (const count of filling.counts)
        for (const encoding of ["binary", "json"] as const)
          for (const repeat of isRepeatable(target) ? repeatCounts : [1])
            for (let world = 0; world < worlds; world++)
              yield {
                encoding,
                world,
                messages: 1,
                parts: [{ target, filling, count, repeat }],
              };
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

/** Whether the field is inside of a list, or of a message that may occur several times. */
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
