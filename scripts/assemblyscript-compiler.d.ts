// Types for the part of AssemblyScript's compiler that scripts/build-kernel.mjs uses. They replace
// the types of the package itself, which have errors: see `paths` in tsconfig.scripts.json.

declare const compiler: {
  main(
    args: readonly string[],
    options: { readonly stderr: NodeJS.WritableStream },
  ): Promise<{ readonly error: Error | null }>;
};

export default compiler;
