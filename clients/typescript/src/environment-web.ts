/** Returns `undefined`: web pages have no environment variables. */
export function environmentKey(): string | undefined {
  return undefined;
}

/** Returns `undefined`: web pages have no environment variables. */
export function environmentFile(_name: string): string | undefined {
  return undefined;
}
