// The part of the WebAssembly JavaScript interface in use. TypeScript declares it only together
// with all browser interfaces.
declare global {
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array);
    }
    class Memory {
      constructor(size: { readonly initial: number; readonly maximum?: number });
      readonly buffer: ArrayBuffer;
      /** Adds pages of 64 KiB. Views of the old `buffer` become empty. */
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
