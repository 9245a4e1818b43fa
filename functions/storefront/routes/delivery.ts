import { z } from "@hono/zod-openapi";
import {
  type DeliveryOption,
  type DeliveryPlace,
  deliveryOptions,
} from "../../../shared/delivery/index.ts";
import { createRoutes } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { requireKey } from "../../http/context.ts";
import { envelope, route } from "../../http/contract.ts";
import { runtime } from "../../runtime/runtime.ts";
import { createCatalogueReader } from "../cache/cached-responses.ts";
import { catalogueDelivery } from "../cache/isolate-caches.ts";
import { callExistingSession } from "../caller-session.ts";
import type { StorefrontBindings, StorefrontContext } from "../env.ts";
import { PlaceQuery, toDeliveryPlace } from "../requests/delivery-query.ts";
import { DeliveryOptionView, viewDeliveryOption } from "../views/delivery.ts";

/** How a cart can be delivered (docs/contract/storefront.md#delivery). */
export const delivery = createRoutes<StorefrontBindings>().openapi(
  route("get", "/delivery/options", {
    operationId: "listDeliveryOptions",
    tag: "Delivery",
    summary: "List how the session's cart can be delivered to an address, cheapest first",
    access,
    session: "optional",
    query: PlaceQuery,
    response: z.array(DeliveryOptionView),
  }),
  async (c) => {
    const { business } = requireKey(c);
    const place = toDeliveryPlace(c.req.valid("query"), business);
    const called = await callExistingSession(c, "listDeliveryOptions", place);
    const options = called?.result ?? (await findOptionsWithoutCart(c, place));
    return c.json(envelope(options.map((option) => viewDeliveryOption(option, business))), 200);
  },
);

/** The options at the prices of an empty cart. */
async function findOptionsWithoutCart(
  c: StorefrontContext,
  place: DeliveryPlace | null,
): Promise<DeliveryOption[]> {
  const { business } = requireKey(c);
  const reader = { ...createCatalogueReader(c), business, now: runtime.now };
  return deliveryOptions(await catalogueDelivery(reader).offers.find(place), {
    business,
    figures: { discountedSubtotalMinor: 0, grams: 0 },
    cartLocationId: null,
    chooseLocation: ([first]) => first,
  });
}
