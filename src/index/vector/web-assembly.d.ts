// The part of the WebAssembly JavaScript interface that the index uses. TypeScript declares it only together with all of a browser's interfaces.
declare global {
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array);
    }
    class Memory {
      constructor(size: { readonly initial: number; readonly maximum?: number });
      readonly buffer: ArrayBuffer;
      /** Adds 64 KiB pages. Views of the old `buffer` are empty afterwards. */
      grow(pages: number): number;
    }
    class Instance {
      constructor(
        module: Module,
        imports: Readonly<Record<string, Readonly<Record<string, Memory>>>>,
      );
      readonly exports: Readonly<Record<string, unknown>>;
    }
  }
}

export {};
