import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changelogSection } from "../../scripts/release/changelog-section.mjs";
import { projectFolder } from "./dockerfile.js";

describe("the notes of a release", () => {
  const changelog = readFileSync(join(projectFolder, "CHANGELOG.md"), "utf8");

  it("the notes of a release are the section of its version in CHANGELOG.md", () => {
    const { version } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as {
      version: string;
    };
    const notes = changelogSection(changelog, version);
    expect(notes).toContain("**Search**");
    expect(notes).not.toMatch(/^## /m);
  });

  it("a release without a section in CHANGELOG.md fails", () => {
    expect(() => changelogSection(changelog, "9.9.9")).toThrow(
      "CHANGELOG.md has no section for 9.9.9",
    );
    expect(() => changelogSection("## 0.1.0\n\n## 0.0.9\ntext\n", "0.1.0")).toThrow();
  });
});
