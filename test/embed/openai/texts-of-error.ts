/** The texts of an error and of what caused it. */
export function textsOfError(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return [error.message, error.stack ?? "", JSON.stringify(error), ...textsOfError(error.cause)];
}
