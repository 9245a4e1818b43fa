import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };

/** The oldest supported version of each range in `engines`. */
const oldestVersions = packageJson.engines.node
  .split(" || ")
  .map((range) => parseVersion(range.replace(/^\D+/, "")));

type Version = readonly [major: number, minor: number, patch: number];

function parseVersion(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number);
  return [major, minor, patch];
}

const isAtLeast = (version: Version, minimum: Version): boolean => {
  const different = version.findIndex((part, index) => part !== minimum[index]);
  return different === -1 || (version[different] ?? 0) > (minimum[different] ?? 0);
};

/** Whether a version is within a range such as `^20.19.0 || >= 22.*`; a bare number is a major one. */
const satisfies = (version: Version, range: string): boolean =>
  range.split("||").some((alternative) => {
    if (alternative.trim() === "*") return true;
    const [, operator = "", text = ""] =
      /^\s*(\^|>=|)\s*(\d[\d.]*?)(?:\.\*)?\s*$/.exec(alternative) ?? [];
    if (text === "") throw new Error(`Unknown range of versions: ${range}`);
    const minimum = parseVersion(text);
    return isAtLeast(version, minimum) && (operator === ">=" || version[0] === minimum[0]);
  });

it("package.json names Node versions on which no dependency warns", () => {
  const unsupported = Object.entries(lock.packages).flatMap(([name, entry]) => {
    const range = "engines" in entry && "node" in entry.engines ? entry.engines.node : undefined;
    if (range === undefined || ("optional" in entry && entry.optional)) return [];
    return oldestVersions
      .filter((version) => !satisfies(version, range))
      .map((version) => `${name} needs ${range}, not ${version.join(".")}`);
  });
  expect(unsupported).toEqual([]);
});

it("the documents name the versions of package.json", () => {
  expect(packageJson.engines.node).toBe("^22.19.0 || >=24.0.0");
  for (const path of ["README.md", "CONTRIBUTING.md", "docs/deploy.md"])
    expect(readFileSync(path, "utf8"), path).toContain(
      "Node 22 from 22.19 on, or Node 24 or later",
    );
});
