/**
 * Returns the section of a version in a changelog, without its heading.
 *
 * @param {string} changelog
 * @param {string} version
 * @returns {string}
 * @throws Error when the changelog has no such section, or the section is empty
 */
export function changelogSection(changelog, version) {
  const sections = changelog.split(/^## /m);
  const section = sections.find((it) => it.split(/[\s\n]/)[0] === version);
  const text = section?.slice(section.indexOf("\n")).trim() ?? "";
  if (text === "") throw new Error(`CHANGELOG.md has no section for ${version}`);
  return `${text}\n`;
}
