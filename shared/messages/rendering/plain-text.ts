/** Marks that reverse the direction of the text after them. */
const directionMarks = "\\u202a-\\u202e\\u2066-\\u2069";
const lineBreakers = new RegExp(`[\\p{Cc}\\u2028\\u2029${directionMarks}]+`, "gu");

/** The text on one line, without what would break the line or reverse its direction. */
export const toOneLine = (text: string): string =>
  text.replace(lineBreakers, " ").replace(/ {2,}/g, " ").trim();

/** The lines of a text, each without such characters. */
export const toPlainLines = (text: string): string[] =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .split("\n")
    .map((line) => line.replace(lineBreakers, " ").trimEnd());

/**
 * A text from a shopper, on one line, in which mail programs find no address to
 * link: otherwise anybody could send links to others in the name of the shop.
 */
export function withoutLinks<T extends string | null>(text: T): T | string {
  if (text === null) return text;
  return toOneLine(text)
    .replace(/:\/\//g, ": //")
    .replace(/\.(?=[\p{L}\p{N}])/gu, ". ")
    .replace(/@/g, " at ");
}
