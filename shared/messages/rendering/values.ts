import type { VariableName } from "../templates/variables.ts";
import { toOneLine, toPlainLines } from "./plain-text.ts";

/** A row of a block: what it is, and an amount or a quantity at its end. */
export type BlockRow = Readonly<{ label: string; amount: string | null; isTotal?: boolean }>;

/**
 * The value of a variable. As a paragraph of its own a block is shown as rows, a link as a button and
 * a quote apart from the shop's words; within a sentence each is shown as text. A line whose
 * variables are all null is left out.
 */
export type VariableValue =
  | string
  | null
  | Readonly<{ type: "block"; rows: readonly BlockRow[] }>
  | Readonly<{ type: "link"; label: string; url: string }>
  | Readonly<{ type: "quote"; text: string }>
  | Readonly<{ type: "code"; code: string }>;

export type VariableValues = Readonly<Partial<Record<VariableName, VariableValue>>>;

/** The value within a sentence, a subject or an SMS. */
export function toInlineText(value: VariableValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (value.type === "link") return value.url;
  if (value.type === "code") return value.code;
  if (value.type === "quote") return value.text;
  return value.rows
    .map(({ label, amount }) => [toOneLine(label), amount].filter(Boolean).join(": "))
    .join(", ");
}

/** The value as plain text where it is a paragraph of its own. */
export function toTextParagraph(value: VariableValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (value.type === "link") return `${value.label}: ${value.url}`;
  if (value.type === "code") return value.code;
  if (value.type === "quote") return toPlainLines(value.text).join("\n");
  return value.rows
    .map(({ label, amount }) =>
      amount === null ? toOneLine(label) : `${toOneLine(label)}: ${amount}`,
    )
    .join("\n");
}
