import { invalid, parseMoney } from "../../kernel/index.ts";
import type { CsvRow } from "./read-rows.ts";

const maxNameCharacters = 255;
const maxCount = 1_000_000_000;

export const cell = (row: CsvRow, column: string): string => row.values.get(column) ?? "";

/** A required text without line breaks. The text is not trimmed. */
export function nameCell(row: CsvRow, column: string): string {
  const text = cell(row, column);
  if (text.trim() === "") throw invalid(column, "is missing");
  if (text.length > maxNameCharacters) {
    throw invalid(column, `is longer than ${maxNameCharacters} characters`);
  }
  if (/[\r\n]/.test(text)) throw invalid(column, "contains a line break");
  return text;
}

/** A whole number; null for an empty cell. @throws Refusal VALIDATION_ERROR naming the column. */
export function countCell(row: CsvRow, column: string): number | null {
  const text = cell(row, column).trim();
  if (text === "") return null;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > maxCount) {
    throw invalid(column, `must be a whole number from 0 to ${maxCount}`);
  }
  return count;
}

/**
 * A weight in grams, rounded to whole ones; null for an empty cell.
 *
 * @throws Refusal VALIDATION_ERROR naming the column.
 */
export function gramsCell(row: CsvRow, column: string): number | null {
  const text = cell(row, column).trim();
  if (text === "") return null;
  const grams = Math.round(Number(text));
  if (!/^\d+(\.\d+)?$/.test(text) || grams > maxCount) {
    throw invalid(column, `must be a weight in grams from 0 to ${maxCount}`);
  }
  return grams;
}

/**
 * One of the choices, in any case; null for an empty cell.
 *
 * @throws Refusal VALIDATION_ERROR naming the column.
 */
export function choiceCell<C extends string>(
  row: CsvRow,
  column: string,
  choices: readonly C[],
): C | null {
  const text = cell(row, column).trim().toLowerCase();
  if (text === "") return null;
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw invalid(column, `must be one of ${choices.join(", ")}`);
  return choice;
}

/**
 * An amount in minor units; null for an empty cell. Surplus zeros are dropped, because Shopify
 * writes "50.00" even for currencies without decimals.
 */
export function moneyCell(row: CsvRow, column: string, currency: string): number | null {
  const text = cell(row, column).trim();
  if (text === "") return null;
  if (!/^\d+(\.\d+)?$/.test(text)) {
    throw invalid(column, "must be an amount of at least 0, such as 12.50");
  }
  return parseMoney(text.replace(/\.0+$|(?<=\.\d*)0+$/, ""), currency, column);
}
