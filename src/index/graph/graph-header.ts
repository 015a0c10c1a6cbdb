import { crc32 } from "node:zlib";
import type { Head } from "../../core/ports/store.js";
import type { SavedLabels } from "../rows/vector-labels.js";
import type { FileSum } from "./graph-file.js";
import { graphParameters } from "./hnsw-graph.js";

/** The model and dimension of a graph's vectors. */
export interface GraphProfile {
  readonly modelId: string;
  readonly dimension: number;
}

/** Description of a saved graph. */
export interface GraphHeader {
  /** Number of vectors in the graph, removed ones included. */
  readonly count: number;
  /** The labels (`VectorLabels`) of the vectors that were not removed. */
  readonly labels: SavedLabels;
  /**
   * The namespace's head when the graph was saved. The graph may lag behind this head. The
   * fingerprints in `labels` show which vectors it has.
   */
  readonly head: Head;
  /** The number in the name of the graph's file. */
  readonly serial: number;
  readonly file: FileSum;
}

// A header consists of
// - a magic text,
// - the CRC-32 of everything that follows,
// - the length of a JSON text, and the text (`HeaderText`),
// - the labels (uint32) and the fingerprints (float64).
const magic = Buffer.from("VDMGRAPH");
const version = 1;
const checksumAt = magic.length;
const textLengthAt = checksumAt + 4;
const textAt = textLengthAt + 4;

/** The JSON part of a header. */
interface HeaderText {
  /** Parameters of the build. The graph is usable only if they equal the current parameters. */
  readonly made: object;
  readonly count: number;
  readonly nextLabel: number;
  readonly labelCount: number;
  readonly head: Head;
  readonly serial: number;
  readonly file: FileSum;
}

export function encodeHeader(
  profile: GraphProfile,
  { count, labels, head, serial, file }: GraphHeader,
): Buffer {
  const labelCount = labels.labels.length;
  const content: HeaderText = {
    made: madeOf(profile),
    count,
    nextLabel: labels.next,
    labelCount,
    head,
    serial,
    file,
  };
  const text = Buffer.from(JSON.stringify(content));
  const start = Buffer.alloc(textAt);
  magic.copy(start);
  start.writeUInt32LE(text.length, textLengthAt);
  const header = Buffer.concat([start, text, bytesOf(labels.labels), bytesOf(labels.fingerprints)]);
  header.writeUInt32LE(crc32(header.subarray(textLengthAt)), checksumAt);
  return header;
}

/**
 * Decodes the header of a graph with this profile and the current parameters. Returns `undefined`
 * for any other graph.
 *
 * @throws Error when the header is damaged
 */
export function decodeHeader(profile: GraphProfile, header: Buffer): GraphHeader | undefined {
  const isWhole = header.length > textAt && header.subarray(0, checksumAt).equals(magic);
  if (!isWhole || crc32(header.subarray(textLengthAt)) !== header.readUInt32LE(checksumAt)) {
    throw new Error("the header of a saved graph does not match its checksum");
  }
  const textEnd = textAt + header.readUInt32LE(textLengthAt);
  const { made, count, nextLabel, labelCount, head, serial, file } = JSON.parse(
    header.toString("utf8", textAt, textEnd),
  ) as HeaderText;
  if (JSON.stringify(made) !== JSON.stringify(madeOf(profile))) return undefined;
  const fingerprintsAt = textEnd + labelCount * Uint32Array.BYTES_PER_ELEMENT;
  const labels = new Uint32Array(Uint8Array.from(header.subarray(textEnd, fingerprintsAt)).buffer);
  const fingerprints = new Float64Array(Uint8Array.from(header.subarray(fingerprintsAt)).buffer);
  return { count, labels: { next: nextLabel, labels, fingerprints }, head, serial, file };
}

function madeOf({ modelId, dimension }: GraphProfile): object {
  const { links, efConstruction } = graphParameters;
  return { version, modelId, dimension, links, efConstruction };
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
