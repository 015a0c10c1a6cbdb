/** The author of changes on a server without credentials. */
export const anonymousCaller = "anonymous";
