import { z } from "@hono/zod-openapi";
import type { ActivityEvent } from "../../../shared/activity/index.ts";
import { id, name, text } from "../../wire/fields.ts";
import { quantity } from "./selection-fields.ts";

const EventBody = z.discriminatedUnion("type", [
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

/** interface.md, POST /activity/events; completions.md 11. */
export const EventsBody = z.object({
  events: z.array(EventBody).max(50),
  website_id: text(200).nullish(),
  domain: text(253).nullish(),
});

export const DismissBody = z.object({ code: name(200) });

export const activityEvents = ({ events }: z.infer<typeof EventsBody>): ActivityEvent[] =>
  events.map(activityEvent);

function activityEvent(event: z.infer<typeof EventBody>): ActivityEvent {
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
