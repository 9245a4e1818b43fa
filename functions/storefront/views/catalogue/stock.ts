import { z } from "@hono/zod-openapi";
import type { Availability, Stock } from "../../../../shared/availability/index.ts";
import { inventoryTypes } from "../../../../shared/catalogue/index.ts";

export const stockViewFields = {
  inventory_type: z.enum(inventoryTypes),
  quantity_on_hand: z.number().int().nullable(),
  quantity_available: z.number().int().nullable(),
  locations: z.array(
    z.object({
      location_id: z.string(),
      quantity_on_hand: z.number().int(),
      quantity_reserved: z.number().int(),
      quantity_available: z.number().int(),
    }),
  ),
};

export const stockAvailabilityViewFields = {
  is_available: z.boolean(),
  quantity_requested: z.number().int(),
  quantity_available: z.number().int().nullable(),
};

export const viewStock = (stock: Stock) => ({
  inventory_type: stock.inventoryType,
  quantity_on_hand: stock.quantityOnHand,
  quantity_available: stock.quantityAvailable,
  locations: stock.locations.map((row) => ({
    location_id: row.locationId,
    quantity_on_hand: row.quantityOnHand,
    quantity_reserved: row.quantityReserved,
    quantity_available: row.quantityAvailable,
  })),
});

export const viewStockAvailability = (availability: Availability) => ({
  is_available: availability.isAvailable,
  quantity_requested: availability.quantityRequested,
  quantity_available: availability.quantityAvailable,
});
