/** Takes what an embedder tells while it works. Fields hold names, numbers and errors, never texts or keys. */
export type EmbedderLog = (
  level: "info" | "warn",
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;
