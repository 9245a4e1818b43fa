import { type SQL, sql } from "drizzle-orm";
import { type AnySQLiteColumn, integer, text } from "drizzle-orm/sqlite-core";

/** A time in epoch milliseconds. */
export const instant = (name: string) => integer(name);

export const flag = (name: string) => integer(name, { mode: "boolean" });

/** An amount in the currency's minor units. */
export const minorUnits = (name: string) => integer(name);

/** A JSON value that is read and replaced as a whole. No query searches in it. */
export const document = <T>(name: string) => text(name, { mode: "json" }).$type<T>();

/** `column IN (…)` as SQL, for CHECK constraints over a closed set of values. */
export const oneOf = (column: AnySQLiteColumn, values: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;
