/** Writes money, dates and times as the member's language does, in the business's currency and zone. */
export type Format = Readonly<{
  money: (amount: string, currency?: string) => string;
  /** An amount without decimals, for an axis. */
  roundMoney: (amount: number) => string;
  date: (time: string) => string;
  /** A calendar day (YYYY-MM-DD) with its weekday. */
  day: (date: string) => string;
  /** Date and time of day. */
  moment: (time: string) => string;
  timeOfDay: (time: string) => string;
  /** Minutes since midnight as a time of day. */
  clock: (minutes: number) => string;
  /** The same, short: with its weekday and without the year. */
  shortDay: (date: string) => string;
  /** The calendar day (YYYY-MM-DD) of a time in the business's zone. */
  localDay: (time: Date) => string;
  number: (value: number) => string;
  /** Such as "3 min ago"; older than a day as a date. */
  age: (time: string) => string;
}>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export function createFormat({
  currency: ownCurrency,
  timezone: timeZone,
}: Readonly<{ currency: string; timezone: string }>): Format {
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone });
  const moment = new Intl.DateTimeFormat(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone,
  });
  const calendarDay = new Intl.DateTimeFormat(undefined, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
  const shortDay = new Intl.DateTimeFormat(undefined, {
    weekday: "short",
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const rounded = new Intl.NumberFormat(undefined, {
    style: "currency",
    currency: ownCurrency,
    maximumFractionDigits: 0,
  });
  const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short", timeZone });
  const plainClock = new Intl.DateTimeFormat(undefined, { timeStyle: "short", timeZone: "UTC" });
  const isoDay = new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone });
  const relative = new Intl.RelativeTimeFormat(undefined, { style: "short", numeric: "auto" });
  const plain = new Intl.NumberFormat();
  const currencies = new Map<string, Intl.NumberFormat>();

  const formatOf = (currency: string): Intl.NumberFormat => {
    const known = currencies.get(currency);
    if (known) return known;
    const created = new Intl.NumberFormat(undefined, { style: "currency", currency });
    currencies.set(currency, created);
    return created;
  };

  return {
    // Intl takes a decimal text without rounding it to a float.
    money: (amount, currency = ownCurrency) => formatOf(currency).format(toNumeric(amount)),
    roundMoney: (amount) => rounded.format(amount),
    day: (date) => calendarDay.format(new Date(date)),
    shortDay: (date) => shortDay.format(new Date(date)),
    date: (time) => day.format(new Date(time)),
    moment: (time) => moment.format(new Date(time)),
    timeOfDay: (time) => clock.format(new Date(time)),
    clock: (minutes) => plainClock.format(new Date(minutes * minuteMs)),
    localDay: (time) => isoDay.format(time),
    number: (value) => plain.format(value),
    age(time) {
      const ageMs = Date.now() - new Date(time).getTime();
      if (ageMs >= dayMs) return day.format(new Date(time));
      if (ageMs >= hourMs) return relative.format(-Math.floor(ageMs / hourMs), "hour");
      return relative.format(-Math.floor(Math.max(0, ageMs) / minuteMs), "minute");
    },
  };
}

const isNumeric = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text);

const toNumeric = (amount: string): `${number}` | number =>
  isNumeric(amount) ? amount : Number.NaN;
