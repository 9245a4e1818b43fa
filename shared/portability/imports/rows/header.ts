import { z } from "zod";
import type { Settings } from "../../../businesses/index.ts";
import { isSafeLink, parseJson } from "../../../kernel/index.ts";

import { formatVersion } from "../../format/file-lines.ts";
import {
  count,
  currencyCode,
  integer,
  paymentMethodName,
  percent,
  text,
  timezoneName,
} from "./values.ts";

const limit = integer.min(1).max(1_000_000).nullable().optional();
const providers = z.array(z.enum(["paystack", "stripe"])).max(20);

const settings: z.ZodType<Settings> = z.object({
  tax: z.object({ ratePercent: percent, isInclusive: z.boolean() }),
  autoConfirm: z.boolean(),
  bookingRefunds: z.enum(["automatic", "manual"]),
  customerCancellation: z.enum(["pending", "confirmed", "preparing"]).nullable(),
  allowedOrigins: z.array(z.string().max(300)).max(100),
  paymentMethods: z.array(paymentMethodName).max(20),
  paymentRouting: z.object({ card: providers, mobile_money: providers }),
  orderNumberPrefix: z
    .string()
    .max(20)
    .regex(/^[^\n\t]*$/)
    .regex(/(?:^|\D)$/),
  lowStockThreshold: count.max(1_000_000),
  maxCoupons: integer.min(1).max(5),
  freeDeliveryThresholdMinor: count.nullable(),
  incentives: z
    .array(
      z.object({
        intent: z.enum(["baseline", "considering", "ready_to_buy"]),
        templateId: text,
        agentId: text,
      }),
    )
    .max(3),
  fx: z.object({
    provider: z.enum(["static", "frankfurter", "openexchangerates"]),
    staticRates: z
      .object({
        base: currencyCode,
        rates: z.record(currencyCode, z.string().regex(/^\d{1,10}(?:\.\d{1,10})?$/)),
      })
      .nullable(),
  }),
  rateLimits: z.object({
    publicPerSecondPerAddress: limit,
    publicPerMinute: limit,
    publicPerMinutePerAddress: limit,
    secretPerSecond: limit,
  }),
  unpaidLimits: z.object({ holdsPerSession: limit, bookingsPerContact: limit, perAddress: limit }),
  appearance: z.object({
    logoUrl: text.refine(isSafeLink, "must be an https address").nullable(),
    accentColor: z
      .string()
      .regex(/^#[0-9a-f]{6}$/)
      .nullable(),
  }),
});

const Header = z.object({
  duka_export: z.literal(formatVersion, `must be ${formatVersion}`),
  business: z.object({
    currency: currencyCode,
    default_country: z.string().regex(/^[A-Z]{2}$/),
    timezone: timezoneName,
    settings,
  }),
});

const Footer = z.object({
  end: z.object({ rows: count, tables: z.record(z.string(), count) }),
});

/** How the business of a file is set up. */
export type FileHeader = z.infer<typeof Header>["business"];

/** Reads the first line of a file; the text says what is wrong with it otherwise. */
export function readHeader(line: string): FileHeader | string {
  const parsed = Header.safeParse(parseJson(line));
  if (parsed.success) return parsed.data.business;
  const [issue] = parsed.error.issues;
  return `The first line is not that of an export: ${issue?.path.map(String).join(".")}: ${issue?.message}`;
}

/** The number of rows that the last line names; null for another line. */
export function readFooter(line: string): number | null {
  const parsed = Footer.safeParse(parseJson(line));
  return parsed.success ? parsed.data.end.rows : null;
}
