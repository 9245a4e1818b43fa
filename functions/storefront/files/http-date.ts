const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const timePattern = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})`;

/** The current format and the two obsolete ones that a recipient must accept (RFC 9110, 5.6.7). */
const formats = [
  String.raw`[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) ${timePattern} GMT`,
  String.raw`[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) ${timePattern} GMT`,
  String.raw`[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) ${timePattern} (?<year>\d{4})`,
].map((format) => new RegExp(`^${format}$`));

/**
 * The epoch milliseconds of an HTTP date. Null for any other text, and for dates such as 30
 * February.
 */
export function parseHttpDate(text: string, now: number): number | null {
  const parts = formats.map((format) => format.exec(text)?.groups).find((groups) => groups);
  if (!parts) return null;
  const { month = "", day, hour, minute, second } = parts;
  const year = parseYear(parts.year ?? "", now);
  const date = new Date(0);
  date.setUTCFullYear(year, months.indexOf(month), Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const isReal = date.getUTCDate() === Number(day) && date.getUTCHours() === Number(hour);
  return isReal && months.includes(month) ? date.getTime() : null;
}

/**
 * Parses a year of two or four digits. Two digits mean the latest matching year that is at most 50
 * years in the future.
 */
function parseYear(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits);
  const latest = new Date(now).getUTCFullYear() + 50;
  return latest - ((latest - Number(digits)) % 100);
}
