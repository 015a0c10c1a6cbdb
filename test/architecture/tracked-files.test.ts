import { describe, expect, it } from "vitest";
import { placesOf, read, tracked } from "./source-files.js";

describe("tracked files", () => {
  const texts = tracked.filter(
    (file) => file !== "package-lock.json" && !read(file).includes("\0"),
  );

  it("tracked files contain no path of a developer's machine", () => {
    const pattern = new RegExp(
      `(?:^|[\\s"'\`(=:])/(?:${["home", "root", "Users", "work", "tmp"].join("|")})/`,
    );
    expect(placesOf(pattern, texts)).toEqual([]);
  });

  it("tracked files contain no host of a package registry", () => {
    const hosts = [
      "registry[.]npmjs",
      "registry[.]yarnpkg",
      "pypi[.]org",
      "python[h]osted",
      "proxy[.]golang",
      "static[.]crates",
      "repo1[.]maven",
      "artifactor[y]",
    ];
    expect(placesOf(new RegExp(hosts.join("|")), texts)).toEqual([]);
  });
});
