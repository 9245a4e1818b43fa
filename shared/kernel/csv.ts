/** A line of RFC 4180, with its line end. No spreadsheet evaluates its cells. */
export const formatCsvLine = (texts: readonly string[]): string =>
  `${texts.map((text) => quoteCell(csvCell(text))).join(",")}\r\n`;

/** Some spreadsheets also split at semicolons and tabs, except in a quoted text. */
const quoteCell = (text: string): string =>
  /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/**
 * What a spreadsheet reads as the beginning of a formula, also after spaces and in full width. With
 * the apostrophes, every text has its own cell, and a reader can tell which apostrophe was added.
 */
const formulaStart = /^'*\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

/**
 * A cell that no spreadsheet evaluates. A text that looks like a formula gets an apostrophe in
 * front; amounts and phone numbers stay as they are.
 */
export const csvCell = (text: string): string =>
  formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;

/**
 * The text that `csvCell` wrote as this cell. An apostrophe that `csvCell` would not have added
 * belongs to the text.
 */
export function textOfCsvCell(cell: string): string {
  if (!cell.startsWith("'")) return cell;
  const text = cell.slice(1);
  return csvCell(text) === cell ? text : cell;
}
