import { z } from "@hono/zod-openapi";
import { formatMoney, iso } from "../../../../shared/kernel/index.ts";
import { differenceKinds, type StoredDifference } from "../../../../shared/reconciliation/index.ts";

const AmountView = z.object({ amount: z.string(), currency: z.string() }).nullable();

export const DifferenceView = z
  .object({
    id: z.string(),
    account: z.string(),
    kind: z.enum(differenceKinds),
    entry: z.string(),
    reference: z.string().nullable(),
    business_id: z.string().nullable(),
    order_id: z.string().nullable(),
    expected: AmountView,
    reported: AmountView,
    first_seen_at: z.string(),
    last_seen_at: z.string(),
  })
  .openapi("ReconciliationDifference");

export const viewDifference = (found: StoredDifference): z.infer<typeof DifferenceView> => ({
  id: found.id,
  account: found.account,
  kind: found.kind,
  entry: found.entry,
  reference: found.reference,
  business_id: found.businessId,
  order_id: found.orderId,
  expected: viewAmount(found.expectedMinor, found.expectedCurrency),
  reported: viewAmount(found.reportedMinor, found.reportedCurrency),
  first_seen_at: iso(found.firstSeenAt),
  last_seen_at: iso(found.lastSeenAt),
});

const viewAmount = (minor: number | null, currency: string | null) =>
  minor === null || currency === null ? null : { amount: formatMoney(minor, currency), currency };
