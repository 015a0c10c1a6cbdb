/** The fields of memories and turns that can be large. */
interface Sized {
  readonly content?: string;
  readonly metadata?: unknown;
  readonly embedding?: readonly number[];
  readonly tags?: readonly string[];
}

/** The limits of one request: memories or turns, bytes, and messages with list items. */
const maxItems = 500;
const maxRequestBytes = 900_000;
const maxElements = 15_000;
/** What the other fields of a memory have at most. */
const otherFieldsBytes = 1000;
const otherElements = 10;

/** Divides memories or turns into as few requests as their sizes allow. */
export function requestsOf<Item extends Sized>(items: readonly Item[]): Item[][] {
  const requests: Item[][] = [];
  let [bytes, elements] = [Number.POSITIVE_INFINITY, 0];
  for (const item of items) {
    const { content, metadata, embedding = [], tags = [] } = item;
    const vectorBytes = embedding.length * Float32Array.BYTES_PER_ELEMENT;
    const ownBytes =
      sizeOf(content) + sizeOf(JSON.stringify(metadata)) + vectorBytes + otherFieldsBytes;
    const ownElements = embedding.length + tags.length + elementsIn(metadata) + otherElements;
    bytes += ownBytes;
    elements += ownElements;
    const isFull = requests.at(-1)?.length === maxItems;
    if (isFull || bytes > maxRequestBytes || elements > maxElements) {
      requests.push([]);
      [bytes, elements] = [ownBytes, ownElements];
    }
    requests.at(-1)?.push(item);
  }
  return requests;
}

/** A value of JSON is at most three elements: a map entry, its message, and a list or a map. */
function elementsIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 3;
  return Object.values(value).reduce<number>((sum, item) => sum + elementsIn(item), 3);
}

function sizeOf(text = ""): number {
  return new TextEncoder().encode(text).length;
}
