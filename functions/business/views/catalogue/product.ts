import { z } from "@hono/zod-openapi";
import type { ProductRecord } from "../../../../shared/catalogue/index.ts";
import { formatMoney } from "../../../../shared/kernel/index.ts";
import { ProductDetailView, viewProductDetail } from "../../../wire/views/catalogue/product.ts";
import {
  ScheduleRuleView,
  viewScheduleRules,
} from "../../../wire/views/catalogue/schedule-rule.ts";

/** A product as its merchant sees it, with price overrides, schedules and billing plans. */
export const ProductRecordView = ProductDetailView.omit({ in_stock: true })
  .extend({
    price_overrides: z.array(
      z.object({ location_id: z.string(), variant_id: z.string().nullable(), price: z.string() }),
    ),
    schedules: z.array(ScheduleRuleView),
    billing_plan_ids: z.array(z.string()),
  })
  .openapi("ProductRecord");
export type ProductRecordView = z.infer<typeof ProductRecordView>;

export const viewProductRecord = (
  { product, category }: ProductRecord,
  { currency }: { currency: string },
): ProductRecordView => ({
  ...viewProductDetail(product, { currency, category, address: null }),
  price_overrides: product.priceOverrides.map(({ locationId, variantId, priceMinor }) => ({
    location_id: locationId,
    variant_id: variantId,
    price: formatMoney(priceMinor, currency),
  })),
  schedules: viewScheduleRules(product),
  billing_plan_ids: [...product.billingPlanIds],
});
