import { z } from "@hono/zod-openapi";
import { formatMoney } from "../../../shared/kernel/index.ts";
import type {
  Discount,
  LineDetails,
  LineDiscount,
  PricePart,
  TaxLine,
} from "../../../shared/pricing/index.ts";
import { imageUrlAt, type PublicAddress } from "../fields.ts";

/** The fields that lines of carts and of orders share. */
export const lineDetailsViewFields = {
  slug: z.string().nullable(),
  image_url: z.string().nullable(),
  add_ons: z.array(
    z.object({ id: z.string(), name: z.string(), group_name: z.string(), price: z.string() }),
  ),
  contents: z.array(
    z.object({
      component_id: z.string(),
      product_id: z.string().nullable(),
      name: z.string(),
      variant_id: z.string().nullable(),
      variant_name: z.string().nullable(),
      add_on_option_id: z.string().nullable(),
      add_on_option_name: z.string().nullable(),
      quantity: z.number().int(),
      unit_price: z.string(),
    }),
  ),
  price_parts: z.array(z.object({ name: z.string(), amount: z.string() })),
};

type DescribedLine = Readonly<{
  /** Null for a line that was stored before details were. */
  details: LineDetails | null;
  parts: readonly PricePart[];
}>;

export const viewLineDetails = (
  { details, parts }: DescribedLine,
  { currency, address }: Readonly<{ currency: string; address: PublicAddress | null }>,
) => ({
  slug: details?.slug ?? null,
  image_url: imageUrlAt(address, details?.imageUrl ?? null),
  add_ons: (details?.addOns ?? []).map(({ id, name, groupName, priceMinor }) => ({
    id,
    name,
    group_name: groupName,
    price: formatMoney(priceMinor, currency),
  })),
  contents: (details?.contents ?? []).map((component) => ({
    component_id: component.componentId,
    product_id: component.productId,
    name: component.name,
    variant_id: component.variantId,
    variant_name: component.variantName,
    add_on_option_id: component.addOnOptionId,
    add_on_option_name: component.addOnOptionName,
    quantity: component.quantity,
    unit_price: formatMoney(component.unitPriceMinor, currency),
  })),
  price_parts: parts.map(({ name, amountMinor }) => ({
    name,
    amount: formatMoney(amountMinor, currency),
  })),
});

export const DiscountView = z.object({
  deal_id: z.string(),
  name: z.string(),
  code: z.string().nullable(),
  amount: z.string(),
});

/** What a deal takes off one line. */
export const LineDiscountView = z
  .object({ deal_id: z.string(), amount: z.string() })
  .openapi("LineDiscount");

export const viewLineDiscount = (
  { dealId, amountMinor }: LineDiscount,
  currency: string,
): z.infer<typeof LineDiscountView> => ({
  deal_id: dealId,
  amount: formatMoney(amountMinor, currency),
});

export const TaxLineView = z
  .object({
    name: z.string(),
    rate_percent: z.string(),
    taxable_amount: z.string(),
    amount: z.string(),
  })
  .openapi("TaxLine");

export const viewTaxLine = (
  { name, ratePercent, taxableMinor, amountMinor }: TaxLine,
  currency: string,
): z.infer<typeof TaxLineView> => ({
  name,
  rate_percent: ratePercent,
  taxable_amount: formatMoney(taxableMinor, currency),
  amount: formatMoney(amountMinor, currency),
});

export const viewDiscount = (
  { dealId, name, code, amountMinor }: Discount,
  currency: string,
): z.infer<typeof DiscountView> => ({
  deal_id: dealId,
  name,
  code,
  amount: formatMoney(amountMinor, currency),
});
