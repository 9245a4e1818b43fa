import { z } from "@hono/zod-openapi";
import { isSafeLink } from "../../../shared/kernel/index.ts";
import { initialShipmentStatuses, shipmentStatuses } from "../../../shared/shipments/index.ts";
import { id, name, text } from "../../wire/fields.ts";

const tracking = {
  carrier: name(100),
  tracking_number: name(100),
  tracking_url: text(2048).refine(
    isSafeLink,
    "must be an https address with a public host name and without a user name",
  ),
};

const items = z
  .array(z.object({ order_item_id: id(), quantity: z.number().int().min(1).max(10_000) }))
  .min(1)
  .max(1_000)
  .refine(
    (list) => new Set(list.map((item) => item.order_item_id)).size === list.length,
    "must contain each order item once",
  );

export const ShipmentBody = z.object({
  items: items.nullish(),
  location_id: id().nullish(),
  carrier: tracking.carrier.nullish(),
  tracking_number: tracking.tracking_number.nullish(),
  tracking_url: tracking.tracking_url.nullish(),
  status: z.enum(initialShipmentStatuses).default("shipped"),
  notify: z.boolean().default(true),
});

export const ShipmentChanges = z
  .object({
    carrier: tracking.carrier.nullable(),
    tracking_number: tracking.tracking_number.nullable(),
    tracking_url: tracking.tracking_url.nullable(),
    status: z.enum(shipmentStatuses),
  })
  .partial();
