import { z } from "@hono/zod-openapi";
import type { Settings } from "../../../shared/businesses/index.ts";
import {
  availableQuantity,
  isLowStock,
  type StockLevel,
  type StockMovement,
} from "../../../shared/inventory/index.ts";
import { iso } from "../../../shared/kernel/index.ts";

export const StockLevelView = z
  .object({
    product_id: z.string(),
    variant_id: z.string().nullable(),
    location_id: z.string(),
    quantity_on_hand: z.number().int(),
    quantity_reserved: z.number().int(),
    quantity_available: z.number().int(),
    low_stock_threshold: z.number().int().nullable(),
    low_stock: z.boolean(),
    updated_at: z.string(),
  })
  .openapi("StockLevel");
export type StockLevelView = z.infer<typeof StockLevelView>;

/** The view of a stock level. Its threshold is null when the business's threshold applies. */
export const viewStockLevel = (
  level: StockLevel,
  business: { settings: Settings },
): StockLevelView => ({
  product_id: level.productId,
  variant_id: level.itemId === level.productId ? null : level.itemId,
  location_id: level.locationId,
  quantity_on_hand: level.quantityOnHand,
  quantity_reserved: level.quantityReserved,
  quantity_available: availableQuantity(level),
  low_stock_threshold: level.lowStockThreshold,
  low_stock: isLowStock(level, business),
  updated_at: iso(level.updatedAt),
});

export const StockMovementView = z
  .object({
    id: z.string(),
    on_hand_delta: z.number().int(),
    reserved_delta: z.number().int(),
    reason: z.string(),
    order_id: z.string().nullable(),
    actor: z.string(),
    created_at: z.string(),
  })
  .openapi("StockMovement");

export const viewStockMovement = ({
  id,
  onHandDelta,
  reservedDelta,
  reason,
  orderId,
  actor,
  at,
}: StockMovement): z.infer<typeof StockMovementView> => ({
  id,
  on_hand_delta: onHandDelta,
  reserved_delta: reservedDelta,
  reason,
  order_id: orderId,
  actor,
  created_at: iso(at),
});
