import type { RecordKind } from "../create-customer-records.ts";

/** The placeholder for a record identifier; a failing request stays readable and repeatable. */
export const placeholderOf = (kind: RecordKind): string => `{{${kind}}}`;

/** Replaces placeholders by record identifiers, and those that stand for objects by their JSON. */
export const fillPlaceholders = (text: string, ids: Readonly<Record<string, string>>): string =>
  text
    .replaceAll(/"\{\{(\w+)\}\}"/g, (token, kind: string) =>
      ids[kind]?.startsWith("{") ? ids[kind] : token,
    )
    .replaceAll(/\{\{(\w+)\}\}/g, (token, kind: string) => ids[kind] ?? token);

/** A number given as text: JSON can write numbers that no JavaScript number represents. */
export const numeral = (text: string): string => `⟪numeral ${text}⟫`;

/** Arrays or objects nested to this depth. */
export const nestedValue = (of: "arrays" | "objects", levels: number): string =>
  `⟪${of} ${levels}⟫`;

/** JSON text of a value, with numerals and nested values written out. */
export const jsonText = (value: unknown): string =>
  (JSON.stringify(value) ?? "null").replaceAll(
    /"⟪(\w+) ([^⟫]+)⟫"/g,
    (_, what: string, of: string) => (what === "numeral" ? of : nestedJson(what, Number(of))),
  );

const nestedJson = (what: string, levels: number): string =>
  what === "arrays"
    ? `${"[".repeat(levels)}${"]".repeat(levels)}`
    : `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
