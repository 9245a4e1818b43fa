/** A line of RFC 4180, with its line end. */
export const formatCsvLine = (cells: readonly string[]): string =>
  `${cells.map(quoteCell).join(",")}\r\n`;

const quoteCell = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

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
