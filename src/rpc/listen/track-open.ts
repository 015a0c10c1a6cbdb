/** Adds a connection to a set and removes it when it closes. */
export function trackOpen<T extends { once(event: "close", listener: () => void): unknown }>(
  open: Set<T>,
  connection: T,
): void {
  open.add(connection);
  connection.once("close", () => open.delete(connection));
}
