/** Commits that a scope's change log keeps. An index that is further behind is loaded anew. */
export const changeLogLength = 4096;
