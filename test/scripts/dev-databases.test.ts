import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { applyMigrations, isCreatedByOtherMigrations } from "../../scripts/dev/databases.ts";

let stateDir: string;
let applied: string;

beforeAll(async () => {
  stateDir = mkdtempSync(join(tmpdir(), "duka-state-"));
  await applyMigrations(stateDir);
  applied = readFileSync(join(stateDir, "migrations.json"), "utf8");
});

afterAll(() => rmSync(stateDir, { recursive: true }));

const writeApplied = (text: string) => writeFileSync(join(stateDir, "migrations.json"), text);

it("accepts a state with the migrations of this checkout, or without the newest", () => {
  writeApplied(applied);
  expect(isCreatedByOtherMigrations(stateDir)).toBe(false);
  writeApplied(JSON.stringify(JSON.parse(applied).slice(0, -1)));
  expect(isCreatedByOtherMigrations(stateDir)).toBe(false);
  rmSync(join(stateDir, "migrations.json"));
  expect(isCreatedByOtherMigrations(stateDir)).toBe(false);
});

it("reports a state whose migrations.json has an unknown format", () => {
  writeApplied(JSON.stringify({ core: ["0000_businesses.sql"], shop: ["0000_shop.sql"] }));
  expect(isCreatedByOtherMigrations(stateDir)).toBe(true);
});

it("reports a state created by a migration that was edited or deleted", () => {
  const [first, ...others] = JSON.parse(applied);
  writeApplied(JSON.stringify([`${first}0`, ...others]));
  expect(isCreatedByOtherMigrations(stateDir)).toBe(true);
  writeApplied(JSON.stringify([first, ...others, "shop/9999_removed.sql 00"]));
  expect(isCreatedByOtherMigrations(stateDir)).toBe(true);
});
