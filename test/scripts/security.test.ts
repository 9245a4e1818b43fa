import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const rows = readFileSync("SECURITY.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (Threat|-+) /.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

it.each(rows.map(([, threat = "", defence, tests = ""]) => ({ threat, defence, tests })))(
  "SECURITY.md names a defence and existing tests for: $threat",
  ({ defence, tests }) => {
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    expect(defence).not.toBe("");
    expect(files).not.toEqual([]);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  },
);
