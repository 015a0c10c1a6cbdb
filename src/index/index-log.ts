/** Takes what the index tells while it works. */
export type IndexLog = (
  level: "info" | "warn" | "error",
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;
