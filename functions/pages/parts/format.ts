import type { VisitedShop } from "../shop/open-shop.ts";

type Business = Pick<VisitedShop["business"], "currency" | "default_country" | "timezone">;

const numberFormats = new Map<string, Intl.NumberFormat>();

/** An amount with its currency, as the business's country writes it in English. */
export function formatPrice(amount: string, { currency, default_country }: Business): string {
  const key = `${default_country} ${currency}`;
  const format =
    numberFormats.get(key) ??
    new Intl.NumberFormat(`en-${default_country}`, {
      style: "currency",
      currency,
      currencyDisplay: "narrowSymbol",
    });
  numberFormats.set(key, format);
  return format.format(Number(amount));
}

/** Whether an amount is above zero. */
export const isPositive = (amount: string): boolean => Number(amount) > 0;

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** A time in the business's zone: 23 Nov 2026, 14:05. */
export function formatTime(time: string, { timezone, default_country }: Business): string {
  const key = `${default_country} ${timezone}`;
  const format =
    dateFormats.get(key) ??
    new Intl.DateTimeFormat(`en-${default_country}`, {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: timezone,
    });
  dateFormats.set(key, format);
  return format.format(new Date(time));
}

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** A day in the business's zone: 23 Nov 2026. */
export function formatDate(time: string, { timezone, default_country }: Business): string {
  const key = `${default_country} ${timezone}`;
  const format =
    dayFormats.get(key) ??
    new Intl.DateTimeFormat(`en-${default_country}`, { dateStyle: "medium", timeZone: timezone });
  dayFormats.set(key, format);
  return format.format(new Date(time));
}

/** What is chosen of a product: its variant, options and contents. */
export function describeChoice(
  line: Readonly<{
    variant_name: string | null;
    add_ons: readonly Readonly<{ name: string }>[];
    contents: readonly Readonly<{ name: string; variant_name: string | null; quantity: number }>[];
  }>,
): string {
  const contents = line.contents.map(({ name, variant_name: variant, quantity }) =>
    [quantity > 1 ? `${quantity} × ` : "", name, variant === null ? "" : ` (${variant})`].join(""),
  );
  const parts = [line.variant_name, ...line.add_ons.map(({ name }) => name), ...contents];
  return parts.filter((part) => part !== null && part !== "").join(", ");
}

/** How long delivery takes: 2 to 4 days; empty when the shop does not say. */
export function formatDays({
  min_days: min,
  max_days: max,
}: Readonly<{ min_days: number | null; max_days: number | null }>): string {
  const [least, most] = [min ?? max, max ?? min];
  if (least === null || most === null) return "";
  if (most === 0) return "today";
  const unit = most === 1 ? "day" : "days";
  return least === most ? `${most} ${unit}` : `${least} to ${most} ${unit}`;
}

/** The lines of an address in the order in which they are written. */
export function addressLines(address: Readonly<Record<string, unknown>> | null): readonly string[] {
  const names = ["name", "street_address", "city", "region", "postal_code"];
  const texts = names.map((name) => address?.[name]).filter((text) => typeof text === "string");
  const country = address?.country;
  const last = typeof country === "string" && country !== "" ? [countryName(country)] : [];
  return [...texts.filter((text) => text !== ""), ...last];
}

const regionNames = new Intl.DisplayNames(["en"], { type: "region", fallback: "code" });

/** The name of a country of ISO 3166; what is no such code stays as it is. */
const countryName = (code: string): string =>
  /^[A-Z]{2}$/i.test(code) ? (regionNames.of(code.toUpperCase()) ?? code) : code;
