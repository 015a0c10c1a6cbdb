/** Returns the texts of an error and of its causes. */
export function textsOfError(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return [error.message, error.stack ?? "", JSON.stringify(error), ...textsOfError(error.cause)];
}
