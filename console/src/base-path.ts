/**
 * The address of the server for this page, such as `https://example.com/memory/`. The page is at
 * `console/` below it, behind whatever prefix a proxy adds.
 */
export const serverUrl = new URL("../", location.href.replace(/[?#].*$/s, "")).href;

/** The path of the server, which tells servers of one origin apart. */
export const serverPath = new URL(serverUrl).pathname;
