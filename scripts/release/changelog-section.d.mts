/** Returns the section of a version in a changelog, without its heading. */
export function changelogSection(changelog: string, version: string): string;
