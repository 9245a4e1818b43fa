import type { Kind } from "../foreign-world.ts";

/** Stands in a request for an identifier of the fuzzed world, so that a failing one can be read and repeated. */
export const idOf = (kind: Kind): string => `{{${kind}}}`;

/** Puts the world's identifiers where their tokens stand. */
export const filled = (text: string, ids: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (token, kind: string) => ids[kind] ?? token);

/** A number as its text: what JSON can write and no number of JavaScript's becomes. */
export const numeral = (text: string): string => `⟪numeral ${text}⟫`;

/** So many arrays or objects within one another. */
export const nest = (of: "arrays" | "objects", levels: number): string => `⟪${of} ${levels}⟫`;

/** A value as JSON text, its numerals and nests written out. */
export const jsonText = (value: unknown): string =>
  (JSON.stringify(value) ?? "null").replaceAll(
    /"⟪(\w+) ([^⟫]+)⟫"/g,
    (_, what: string, of: string) => (what === "numeral" ? of : nested(what, Number(of))),
  );

const nested = (what: string, levels: number): string =>
  what === "arrays"
    ? `${"[".repeat(levels)}${"]".repeat(levels)}`
    : `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
