import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import {
  availableQuantity,
  type StockReport,
  type ValuedStockLevel,
} from "../../../shared/inventory/index.ts";
import { formatMoney } from "../../../shared/kernel/index.ts";
import { formatPairPosition } from "../../wire/cursor-position.ts";
import { createPage, Page } from "../../wire/paging.ts";

const ValuedStockLevelView = z
  .object({
    product_id: z.string(),
    product_name: z.string(),
    variant_id: z.string().nullable(),
    variant_name: z.string().nullable(),
    location_id: z.string(),
    quantity_on_hand: z.number().int(),
    quantity_reserved: z.number().int(),
    quantity_available: z.number().int(),
    low_stock_threshold: z.number().int(),
    low_stock: z.boolean(),
    unit_price: z.string(),
    stock_value: z.string().nullable(),
  })
  .openapi("ValuedStockLevel");

export const StockReportView = Page(ValuedStockLevelView)
  .extend({
    currency: z.string(),
    totals: z
      .object({
        quantity_on_hand: z.number().int(),
        quantity_reserved: z.number().int(),
        stock_value: z.string().nullable(),
      })
      .nullable(),
  })
  .openapi("StockReport");

export function viewStockReport(
  { levels, totals, scannedTo }: StockReport,
  limit: number,
  { currency, settings }: Business,
): z.infer<typeof StockReportView> {
  const money = (minor: number | null) => (minor === null ? null : formatMoney(minor, currency));
  const view = (level: ValuedStockLevel) => ({
    product_id: level.productId,
    product_name: level.productName,
    variant_id: level.itemId === level.productId ? null : level.itemId,
    variant_name: level.variantName,
    location_id: level.locationId,
    quantity_on_hand: level.quantityOnHand,
    quantity_reserved: level.quantityReserved,
    quantity_available: availableQuantity(level),
    low_stock_threshold: level.lowStockThreshold ?? settings.lowStockThreshold,
    low_stock: level.isLow,
    unit_price: formatMoney(level.unitPriceMinor, currency),
    stock_value: money(level.valueMinor),
  });
  return {
    currency,
    totals: totals && {
      quantity_on_hand: totals.quantityOnHand,
      quantity_reserved: totals.quantityReserved,
      stock_value: money(totals.valueMinor),
    },
    ...createPage(levels, {
      limit,
      view,
      position: ({ itemId, locationId }) => formatPairPosition(itemId, locationId),
      resumeAt: scannedTo && formatPairPosition(scannedTo.itemId, scannedTo.locationId),
    }),
  };
}
