import { crc32 } from "node:zlib";
import type { Head } from "../../core/ports/store.js";
import type { SavedLabels } from "../rows/vector-labels.js";
import type { FileSum } from "./graph-file.js";
import { graphParameters } from "./hnsw-graph.js";

/** Whose vectors a graph has. */
export interface GraphProfile {
  readonly modelId: string;
  readonly dimension: number;
}

/** What is known of a saved graph. */
export interface GraphHeader {
  /** Number of vectors in the graph, the removed ones too. */
  readonly count: number;
  /** Labels of the vectors that were not removed. */
  readonly labels: SavedLabels;
  /** The last commit that the namespace had when the graph was saved. The graph may have less: labels and fingerprints tell what. */
  readonly head: Head;
  /** The number in the name of the graph's file. */
  readonly serial: number;
  readonly file: FileSum;
}

// A magic text, the checksum of all behind it, the length of a JSON text, that text, labels (uint32) and fingerprints (float64).
const magic = Buffer.from("VDMGRAPH");
const version = 1;
const checksumAt = magic.length;
const textLengthAt = checksumAt + 4;
const textAt = textLengthAt + 4;

/** The part of a header that is written as JSON. */
interface HeaderText {
  /** What has to be as it is here, or the graph is of no use. */
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

/** The header of a graph of that profile, made as graphs are made now; `undefined` if it is of another kind. @throws Error for one that is damaged */
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
