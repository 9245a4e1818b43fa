import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import { formatMoney, iso } from "../../../../shared/kernel/index.ts";
import {
  type SalesPeriod,
  salesIntervals,
  type TaxFigures,
  type TaxReport,
} from "../../../../shared/orders/index.ts";

const TaxFiguresView = z
  .object({
    name: z.string(),
    rate_percent: z.string().nullable(),
    inclusive: z.boolean().nullable(),
    currency: z.string(),
    orders: z.number().int(),
    taxable_amount: z.string(),
    tax_amount: z.string(),
  })
  .openapi("TaxFigures");

export const TaxReportView = z
  .object({
    from: z.string(),
    to: z.string(),
    interval: z.enum(salesIntervals),
    timezone: z.string(),
    location_id: z.string().nullable(),
    rates: z.array(TaxFiguresView),
    intervals: z.array(
      z.object({ start: z.string(), end: z.string(), rates: z.array(TaxFiguresView) }),
    ),
  })
  .openapi("TaxReport");

type TaxReportRequest = Readonly<{
  range: SalesPeriod;
  interval: (typeof salesIntervals)[number];
  locationId: string | undefined;
}>;

export const viewTaxReport = (
  { rates, intervals }: TaxReport,
  { range, interval, locationId }: TaxReportRequest,
  { timezone }: Business,
): z.infer<typeof TaxReportView> => ({
  from: iso(range.start),
  to: iso(range.end),
  interval,
  timezone,
  location_id: locationId ?? null,
  rates: rates.map(viewTaxFigures),
  intervals: intervals.map(({ start, end, rates }) => ({
    start: iso(start),
    end: iso(end),
    rates: rates.map(viewTaxFigures),
  })),
});

const viewTaxFigures = ({
  name,
  tax,
  currency,
  orders,
  taxableMinor,
  taxMinor,
}: TaxFigures): z.infer<typeof TaxFiguresView> => ({
  name,
  rate_percent: tax?.ratePercent ?? null,
  inclusive: tax?.isInclusive ?? null,
  currency,
  orders,
  taxable_amount: formatMoney(taxableMinor, currency),
  tax_amount: formatMoney(taxMinor, currency),
});
