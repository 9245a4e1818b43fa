const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const clock = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})`;

/** What senders write today, and the two forms of old that are still to be read (RFC 9110, 5.6.7). */
const forms = [
  String.raw`[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) ${clock} GMT`,
  String.raw`[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) ${clock} GMT`,
  String.raw`[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) ${clock} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** The moment of an HTTP date in epoch milliseconds; null for what is none, such as 30 February. */
export function timeOfHttpDate(text: string, now: number): number | null {
  const parts = forms.map((form) => form.exec(text)?.groups).find((groups) => groups);
  if (!parts) return null;
  const { month = "", day, hour, minute, second } = parts;
  const year = yearOf(parts.year ?? "", now);
  const date = new Date(0);
  date.setUTCFullYear(year, months.indexOf(month), Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const isReal = date.getUTCDate() === Number(day) && date.getUTCHours() === Number(hour);
  return isReal && months.includes(month) ? date.getTime() : null;
}

/** Of two digits, the latest year that is not more than 50 years ahead. */
function yearOf(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits);
  const latest = new Date(now).getUTCFullYear() + 50;
  return latest - ((latest - Number(digits)) % 100);
}
