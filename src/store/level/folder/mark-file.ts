import { type FileHandle, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import type { VademecumError } from "../../../core/model/errors.js";
import { unsupportedFormat } from "../../errors.js";
import { isMissing } from "./folder.js";

/**
 * The format of the data folders that this version reads and writes, as
 * `docs/internals/data-format.md` describes it. Each slot of the high-water mark names the format,
 * so that a folder in another format is refused before LevelDB opens it.
 */
export const folderFormat = 2;

// The file with the high-water mark has two slots, which are written in turn. So a torn write
// leaves the previous mark in the other slot. docs/internals/data-format.md shows the bytes.
/** The first bytes of a slot. Two digits follow, the format of the folder. */
const magic = "VDMHWM";
const slotCount = 2;
/** Each slot has its own sector and page, so that no write touches both. */
const slotDistance = 4096;
const slotBytes = 113;
const uuidLength = 36;
/** Offsets in a slot. */
const at = {
  magic: 0,
  format: 6,
  storeId: 8,
  epoch: 44,
  group: 80,
  groupChecksum: 88,
  manifestNumber: 92,
  manifestBytes: 100,
  clean: 108,
  checksum: 109,
} as const;

/** The size and the number of a manifest, LevelDB's list of its table files. */
export interface ManifestSize {
  readonly number: number;
  readonly bytes: number;
}

/** The high-water mark: what the records must contain at least. */
export interface HighWaterMark {
  /** UUID of the store. */
  readonly storeId: string;
  /** UUID of the epoch. */
  readonly epoch: string;
  /** The last group that may have been acknowledged. */
  readonly group: number;
  /** `Mark.groupChecksum` of that group. */
  readonly groupChecksum: number;
  readonly manifest: ManifestSize;
  /**
   * Whether the store was closed after this mark. False while the store is open, and after a crash.
   */
  readonly clean: boolean;
}

/** The file with the high-water mark. */
export interface MarkFile {
  /** Hands the mark to the operating system, so that it survives the end of the process. */
  write(mark: HighWaterMark): Promise<void>;
  /** Makes written marks survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the file with the mark in both slots, and syncs it. */
export async function createMarkFile(path: string, mark: HighWaterMark): Promise<void> {
  const file = await open(path, "w");
  try {
    const content = Buffer.alloc(slotCount * slotDistance);
    for (let slot = 0; slot < slotCount; slot++)
      encodeSlot(mark).copy(content, slot * slotDistance);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Reads the newest mark; `undefined` if the file is missing or neither slot holds a mark.
 *
 * @throws FAILED_PRECONDITION (UNSUPPORTED_FORMAT) when the folder has another format
 */
export async function readMarkFile(path: string): Promise<HighWaterMark | undefined> {
  return (await readMarkSlots(path)).newest;
}

/** The content of the file with the high-water mark. */
export interface MarkSlots {
  /** The newest mark. Absent: the file is missing or neither slot holds a mark. */
  readonly newest?: HighWaterMark;
  /** Offsets of the slots that hold no mark, in bytes. */
  readonly damagedAt: readonly number[];
}

/**
 * Reads both slots. A missing file has two damaged slots.
 *
 * @throws FAILED_PRECONDITION (UNSUPPORTED_FORMAT) when the folder has another format
 */
export async function readMarkSlots(path: string): Promise<MarkSlots> {
  let content: Buffer;
  try {
    content = await readFile(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    content = Buffer.alloc(0);
  }
  let newest: HighWaterMark | undefined;
  let later: number | undefined;
  const damagedAt: number[] = [];
  for (let offset = 0; offset < slotCount * slotDistance; offset += slotDistance) {
    const slot = content.subarray(offset, offset + slotBytes);
    const format = formatOf(slot);
    if (!isSlot(slot)) {
      // A later format may have slots of another form.
      if (format !== undefined && format > folderFormat) later = format;
      damagedAt.push(offset);
      continue;
    }
    if (format !== folderFormat) throw otherFormat(path, format);
    const mark = decodeSlot(slot);
    if (newest === undefined || mark.group > newest.group) newest = mark;
  }
  if (newest !== undefined) return { newest, damagedAt };
  if (later !== undefined) throw otherFormat(path, later);
  return { damagedAt };
}

function otherFormat(path: string, format: number | undefined): VademecumError {
  return unsupportedFormat(`the data folder ${dirname(path)} is`, format ?? 0, folderFormat);
}

/** Returns the format that a slot names, even if the rest of the slot is damaged. */
function formatOf(slot: Buffer): number | undefined {
  const [, digits] = /^VDMHWM(\d\d)$/.exec(slot.toString("latin1", 0, at.storeId)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Opens the file to write later marks. */
export async function openMarkFile(path: string): Promise<MarkFile> {
  const file = await open(path, "r+");
  return {
    write: (mark) => writeSlot(file, mark),
    sync: () => file.datasync(),
    close: () => file.close(),
  };
}

async function writeSlot(file: FileHandle, mark: HighWaterMark): Promise<void> {
  const slot = encodeSlot(mark);
  const { bytesWritten } = await file.write(
    slot,
    0,
    slotBytes,
    (mark.group % slotCount) * slotDistance,
  );
  if (bytesWritten !== slotBytes)
    throw new Error(`the write of the high-water mark stopped after ${bytesWritten} bytes`);
}

function encodeSlot(mark: HighWaterMark): Buffer {
  const slot = Buffer.alloc(slotBytes);
  slot.write(magic + String(folderFormat).padStart(2, "0"), at.magic, "ascii");
  slot.write(mark.storeId, at.storeId, "ascii");
  slot.write(mark.epoch, at.epoch, "ascii");
  slot.writeBigUInt64BE(BigInt(mark.group), at.group);
  slot.writeUInt32BE(mark.groupChecksum, at.groupChecksum);
  slot.writeBigUInt64BE(BigInt(mark.manifest.number), at.manifestNumber);
  slot.writeBigUInt64BE(BigInt(mark.manifest.bytes), at.manifestBytes);
  slot.writeUInt8(mark.clean ? 1 : 0, at.clean);
  slot.writeUInt32BE(crc32(slot.subarray(0, at.checksum)), at.checksum);
  return slot;
}

/** Whether the bytes are a whole slot, in any format. */
function isSlot(slot: Buffer): boolean {
  return (
    slot.length === slotBytes &&
    slot.toString("ascii", at.magic, at.format) === magic &&
    crc32(slot.subarray(0, at.checksum)) === slot.readUInt32BE(at.checksum)
  );
}

function decodeSlot(slot: Buffer): HighWaterMark {
  return {
    storeId: slot.toString("ascii", at.storeId, at.storeId + uuidLength),
    epoch: slot.toString("ascii", at.epoch, at.epoch + uuidLength),
    group: Number(slot.readBigUInt64BE(at.group)),
    groupChecksum: slot.readUInt32BE(at.groupChecksum),
    manifest: {
      number: Number(slot.readBigUInt64BE(at.manifestNumber)),
      bytes: Number(slot.readBigUInt64BE(at.manifestBytes)),
    },
    clean: slot.readUInt8(at.clean) === 1,
  };
}
