/** Who called, where no credentials are in use. */
export const anonymousCaller = "anonymous";
