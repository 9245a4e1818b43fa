import { z } from "@hono/zod-openapi";
import type { ActivityEvent } from "../../../shared/activity/index.ts";
import { id, name, text } from "../../wire/fields.ts";
import { quantity } from "./selection-fields.ts";

const ActivityEventBody = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("product_view"),
    product_id: id(),
    product_name: text(500).nullish(),
    category_id: id().nullish(),
    price: z.number().min(0).max(1e13).nullish(),
    page_path: text(2048).nullish(),
  }),
  z.object({ type: z.literal("category_view"), category_id: id() }),
  z.object({
    type: z.literal("search"),
    query: text(500),
    result_count: z.number().int().min(0).max(1e9).nullish(),
  }),
  z.object({
    type: z.enum(["cart_add", "cart_remove"]),
    product_id: id(),
    quantity: quantity().default(1),
  }),
]);

/** The fields of each type of activity event (docs/contract/storefront.md#activity-events). */
export const ActivityEventsBody = z.object({
  events: z.array(ActivityEventBody).max(50),
  website_id: text(200).nullish(),
  domain: text(253).nullish(),
});

export const DismissMessageBody = z.object({ code: name(200) });

export const toActivityEvents = ({ events }: z.infer<typeof ActivityEventsBody>): ActivityEvent[] =>
  events.map(toActivityEvent);

function toActivityEvent(event: z.infer<typeof ActivityEventBody>): ActivityEvent {
  switch (event.type) {
    case "product_view":
      return {
        type: event.type,
        productId: event.product_id,
        categoryId: event.category_id ?? null,
      };
    case "category_view":
      return { type: event.type, categoryId: event.category_id };
    case "search":
      return { type: event.type };
    case "cart_add":
    case "cart_remove":
      return { type: event.type, productId: event.product_id, quantity: event.quantity };
  }
}
