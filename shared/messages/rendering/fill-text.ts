import { variablePattern } from "../templates/variables.ts";
import { toOneLine, toPlainLines } from "./plain-text.ts";
import { toInlineText, type VariableValue, type VariableValues } from "./values.ts";

/** A paragraph: lines of text, or a block or link that stands alone. */
export type Paragraph =
  | Readonly<{ type: "lines"; lines: readonly string[] }>
  | Readonly<{ type: "value"; value: Exclude<VariableValue, string | null> }>;

/** A value of any name; a template may only name those that exist. */
const findValue = (values: VariableValues, name: string): VariableValue =>
  Object.entries(values).find(([key]) => key === name)?.[1] ?? null;

/** The body's paragraphs with their values. Paragraphs and lines without any value are left out. */
export function fillBody(body: string, values: VariableValues): Paragraph[] {
  return body
    .replace(/\r\n?/g, "\n")
    .split(/\n[ \t]*\n+/)
    .flatMap((text): Paragraph[] => {
      const alone = /^\s*\{\{\s*([^{}]*?)\s*\}\}\s*$/.exec(text)?.[1];
      const value = alone === undefined ? null : findValue(values, alone);
      if (value !== null && typeof value !== "string") return [{ type: "value", value }];
      const lines = text.split("\n").flatMap((line) => fillLine(line, values));
      return lines.length === 0 ? [] : [{ type: "lines", lines }];
    });
}

/** The line with its values, one for each line of the values; none when all of them are empty. */
function fillLine(line: string, values: VariableValues): string[] {
  const names = [...line.matchAll(variablePattern)].map(([, name = ""]) => name);
  const isEmpty = names.length > 0 && names.every((name) => findValue(values, name) === null);
  return isEmpty ? [] : toPlainLines(fillInline(line, values));
}

const fillInline = (text: string, values: VariableValues): string =>
  text.replace(variablePattern, (_, name: string) => toInlineText(findValue(values, name)));

/** A subject or an SMS: one line, without control characters and without doubled blanks. */
export const fillOneLine = (text: string, values: VariableValues): string =>
  toOneLine(fillInline(text, values));
