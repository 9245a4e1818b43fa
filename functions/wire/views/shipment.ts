import { z } from "@hono/zod-openapi";
import {
  type Shipment,
  shipmentStatuses,
  toShipmentPayload,
} from "../../../shared/shipments/index.ts";

export const ShipmentView = z
  .object({
    id: z.string(),
    order_id: z.string(),
    items: z.array(z.object({ order_item_id: z.string(), quantity: z.number().int() })),
    location_id: z.string(),
    carrier: z.string().nullable(),
    tracking_number: z.string().nullable(),
    tracking_url: z.string().nullable(),
    status: z.enum(shipmentStatuses),
    shipped_at: z.string().nullable(),
    delivered_at: z.string().nullable(),
    created_at: z.string(),
  })
  .openapi("Shipment");

export const viewShipment = (shipment: Shipment): z.infer<typeof ShipmentView> =>
  toShipmentPayload(shipment);
