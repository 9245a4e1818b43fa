import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrationNames } from "../cloudflare/migrations.ts";
import { changesBetween, readSchema } from "./schema-changes.ts";

export type UnsafeMigration = Readonly<{ name: string; problems: readonly string[] }>;

/** Migrations from before the first release, which no running Workers of a release had to bear. */
const allowed = ["0014_deal_users.sql", "0015_merchant_tools.sql"];

/**
 * Finds migrations after which the Workers of the previous release would fail. They run with the new
 * schema for a moment in each deployment, and again when a release is taken back.
 */
export function findUnsafeMigrations(folder: string): UnsafeMigration[] {
  const database = new DatabaseSync(":memory:");
  try {
    let before = readSchema(database);
    return migrationNames(folder).flatMap((name) => {
      database.exec(readFileSync(join(folder, name), "utf8"));
      const after = readSchema(database);
      const problems = allowed.includes(name) ? [] : changesBetween(before, after);
      before = after;
      return problems.length === 0 ? [] : [{ name, problems }];
    });
  } finally {
    database.close();
  }
}

export const describeUnsafe = ({ name, problems }: UnsafeMigration): string =>
  `${name}\n${problems.map((problem) => `  ${problem}`).join("\n")}`;
