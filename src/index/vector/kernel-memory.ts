import { createKernel, type Kernel, loadKernelModule } from "./kernel.js";

const pageBytes = 65_536;
/** 4 GiB, the most that 32-bit addresses can address. */
const maximumPages = 65_536;

/**
 * Maximum number of memories besides the shared one. Each reserves 10 GiB of address space. So all
 * together reserve at most 80 TiB of the 128 TiB that a process has.
 */
const separateMax = 8_192;

let separateCount = 0;
const separateMemories = new FinalizationRegistry<undefined>(() => {
  separateCount -= 1;
});

/** Those whose vectors are in a kernel memory. */
export interface Holder {
  /** Takes changed vectors out of the memory, because another holder comes. */
  leave(): void;
}

/** A WebAssembly memory, with the kernel that computes in it. An address is a byte offset in it. */
export class KernelMemory {
  readonly kernel: Kernel;
  /** Views of the whole memory. `reserve` replaces them. */
  bytes: Int8Array<ArrayBuffer>;
  floats: Float32Array<ArrayBuffer>;
  rowNumbers: Int32Array<ArrayBuffer>;
  /** Whose vectors are in the memory. */
  holder: Holder | undefined;
  readonly #module: WebAssembly.Module;
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: maximumPages });

  /** @param module The compiled kernel. Default: compiles it. */
  constructor(module: WebAssembly.Module = loadKernelModule()) {
    this.#module = module;
    this.kernel = createKernel(module, this.#memory);
    this.bytes = new Int8Array(this.#memory.buffer);
    this.floats = new Float32Array(this.#memory.buffer);
    this.rowNumbers = new Int32Array(this.#memory.buffer);
  }

  /**
   * Creates another memory with the same kernel. Returns `undefined` if the process has too many.
   */
  separate(): KernelMemory | undefined {
    if (separateCount >= separateMax) return undefined;
    const memory = new KernelMemory(this.#module);
    separateCount += 1;
    separateMemories.register(memory, undefined);
    return memory;
  }

  /** Grows the memory until it has `length` bytes. */
  reserve(length: number): void {
    const missing = length - this.bytes.length;
    if (missing <= 0) return;
    // Grows by at least an eighth, because each growth needs new views.
    this.#memory.grow(Math.ceil(Math.max(missing, this.bytes.length / 8) / pageBytes));
    this.bytes = new Int8Array(this.#memory.buffer);
    this.floats = new Float32Array(this.#memory.buffer);
    this.rowNumbers = new Int32Array(this.#memory.buffer);
  }
}
