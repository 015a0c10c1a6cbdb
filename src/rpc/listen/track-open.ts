/** Keeps a connection in a set for as long as it is open. */
export function trackOpen<T extends { once(event: "close", listener: () => void): unknown }>(
  open: Set<T>,
  connection: T,
): void {
  open.add(connection);
  connection.once("close", () => open.delete(connection));
}
