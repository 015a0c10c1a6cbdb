// The part of AssemblyScript's compiler that the build of the kernel uses. `paths` in
// tsconfig.scripts.json puts this file in place of the package's own types, which are not valid
// declarations.

declare const compiler: {
  main(
    args: readonly string[],
    options: { readonly stderr: NodeJS.WritableStream },
  ): Promise<{ readonly error: Error | null }>;
};

export default compiler;
