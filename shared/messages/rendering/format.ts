import { exponentOf, formatMoney } from "../../kernel/index.ts";

/** Writes dates, times and amounts as a reader of this locale expects. */
export type Formats = Readonly<{
  money: (minor: number, currency: string) => string;
  /** An amount that an event shows, such as "25.00". */
  amount: (amount: string, currency: string) => string;
  date: (at: number, timezone: string) => string;
  time: (at: number, timezone: string) => string;
}>;

export function formatsFor(locale: string): Formats {
  const formatTime = (at: number, parts: Intl.DateTimeFormatOptions) =>
    withPlainBlanks(new Intl.DateTimeFormat(locale, parts).format(at));
  const amount = (text: string, currency: string) => {
    const digits = exponentOf(currency);
    const format = new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    return withPlainBlanks(format.format(text as `${number}`)); // safe: amounts are decimal texts
  };
  return {
    money: (minor, currency) => amount(formatMoney(minor, currency), currency),
    amount,
    date: (at, timeZone) => formatTime(at, { ...dateParts, timeZone }),
    time: (at, timeZone) => formatTime(at, { ...timeParts, timeZone }),
  };
}

const dateParts = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
const timeParts = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;

/** Without the blanks that do not break: each would make an SMS two or three times as long. */
const withPlainBlanks = (text: string): string => text.replace(/[\u00a0\u202f]/g, " ");
