import { z } from "@hono/zod-openapi";
import type { ProductImage, ProductRecord } from "../../../../shared/catalogue/index.ts";
import { formatMoney } from "../../../../shared/kernel/index.ts";
import {
  ProductDetailView,
  VariantView,
  viewProductDetail,
} from "../../../wire/views/catalogue/product.ts";
import {
  ScheduleRuleView,
  viewScheduleRules,
} from "../../../wire/views/catalogue/schedule-rule.ts";

export const ProductImageView = z
  .object({ id: z.string(), url: z.string(), is_primary: z.boolean() })
  .openapi("ProductImage");

export const viewProductImage = ({
  id,
  url,
  isPrimary,
}: ProductImage): z.infer<typeof ProductImageView> => ({ id, url, is_primary: isPrimary });

/** A product as its merchant sees it, with price overrides, schedules and billing plans. */
export const ProductRecordView = ProductDetailView.omit({ in_stock: true })
  .extend({
    variants: z.array(VariantView),
    images: z.array(ProductImageView),
    price_overrides: z.array(
      z.object({ location_id: z.string(), variant_id: z.string().nullable(), price: z.string() }),
    ),
    schedules: z.array(ScheduleRuleView),
    billing_plan_ids: z.array(z.string()),
    /** Set for the product of a bundle or a composite, whose parts are changed under this id. */
    bundle_id: z.string().nullable(),
    composite_id: z.string().nullable(),
  })
  .openapi("ProductRecord");
export type ProductRecordView = z.infer<typeof ProductRecordView>;

export const viewProductRecord = (
  { product, category }: ProductRecord,
  { currency }: { currency: string },
): ProductRecordView => ({
  ...viewProductDetail(product, { currency, category, address: null }),
  images: product.images.map(viewProductImage),
  price_overrides: product.priceOverrides.map(({ locationId, variantId, priceMinor }) => ({
    location_id: locationId,
    variant_id: variantId,
    price: formatMoney(priceMinor, currency),
  })),
  schedules: viewScheduleRules(product),
  billing_plan_ids: [...product.billingPlanIds],
  bundle_id: product.bundle?.id ?? null,
  composite_id: product.composite?.id ?? null,
});
