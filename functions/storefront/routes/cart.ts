import { z } from "@hono/zod-openapi";
import type { SlotRequest } from "../../../shared/cart/index.ts";
import { createRoutes } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { respondWithJsonChunks } from "../../http/bodies.ts";
import { envelope, requireJson, route } from "../../http/contract.ts";
import { freeObject, id, instant, name, text, textOrNull } from "../../wire/fields.ts";
import { callSession } from "../caller-session.ts";
import type { StorefrontBindings, StorefrontContext } from "../env.ts";
import {
  addOnOptions,
  bundleSelections,
  compositeSelections,
  quantity,
} from "../requests/selection-fields.ts";
import { CartItemView, type CartResponse, CartView, cartJsonChunks } from "../views/cart.ts";

const NewItemBody = z.object({
  item_id: id(),
  quantity: quantity().default(1),
  variant_id: id().nullish(),
  add_on_options: addOnOptions().nullable().default([]),
  special_instructions: text(500).nullish(),
  bundle_selections: bundleSelections().nullable().default([]),
  composite_selections: compositeSelections().nullable().default([]),
  scheduled_start: instant().nullish(),
  scheduled_end: instant().nullish(),
  staff_id: id().nullish(),
  quote_id: id().nullish(),
  billing_plan_id: id().nullish(),
  location_id: id().nullish(),
});

const DeliveryChoiceBody = z.object({
  option_id: id(),
  address: freeObject().nullish(),
});

const params = z.object({ cart_item_id: id() });

type CartBody = z.infer<typeof CartView>;
const CartWithItem = CartView.extend({ item: CartItemView });

/** What may forbid a line, however it gets its quantity. */
const lineRules = [
  "SELECTION_INVALID",
  "QUOTE_EXPIRED",
  "QUOTE_MISMATCH",
  "LINE_TOO_LARGE",
  "CART_FULL",
  "LOCATION_MISMATCH",
  "OUT_OF_STOCK",
  "CUSTOMER_REQUIRED",
  "SLOT_INVALID",
  "SLOT_UNAVAILABLE",
  "TOO_MANY_HOLDS",
] as const;

/** The cart's calls: docs/contract/storefront.md#cart. */
export const cart = createRoutes<StorefrontBindings>()
  .openapi(
    route("get", "/cart", {
      operationId: "getCart",
      tag: "Cart",
      summary: "Get the cart",
      access,
      session: "starts",
      response: CartView,
    }),
    async (c) =>
      respondWithJsonChunks<CartBody>(c, ...cartJsonChunks(await callSession(c, "getCart", null))),
  )
  .openapi(
    route("delete", "/cart", {
      operationId: "clearCart",
      tag: "Cart",
      summary: "Empty the cart",
      access,
      session: "starts",
      response: CartView,
      idempotency: { store: "domain" },
    }),
    async (c) => {
      const repeatable = { route: "DELETE /cart", body: null };
      return respondWithCart(c, await callSession(c, "clearCart", null, repeatable));
    },
  )
  .openapi(
    route("get", "/cart/items", {
      operationId: "listCartItems",
      tag: "Cart",
      summary: "List the cart's lines",
      access,
      session: "starts",
      response: z.array(CartItemView),
    }),
    async (c) =>
      respondWithJsonChunks<CartBody["items"]>(c, (await callSession(c, "getCart", null)).items),
  )
  .openapi(
    route("post", "/cart/items", {
      operationId: "addCartItem",
      tag: "Cart",
      summary: "Add an item",
      access,
      session: "starts",
      rules: [...lineRules, "PLAN_NOT_ELIGIBLE"],
      body: requireJson(NewItemBody),
      response: CartWithItem,
      idempotency: { store: "domain" },
    }),
    async (c) => {
      const body = c.req.valid("json");
      const repeatable = { route: "POST /cart/items", body };
      const added = await callSession(c, "addItem", newItem(body), repeatable);
      return respondWithJsonChunks<z.infer<typeof CartWithItem>>(c, ...cartJsonChunks(added));
    },
  )
  .openapi(
    route("patch", "/cart/items/{cart_item_id}", {
      operationId: "updateCartItem",
      tag: "Cart",
      summary: "Change a line's quantity",
      access,
      session: "starts",
      rules: lineRules,
      params,
      body: requireJson(z.object({ quantity: quantity() })),
      response: CartView,
      idempotency: { store: "domain" },
    }),
    async (c) => {
      const lineId = c.req.valid("param").cart_item_id;
      const body = c.req.valid("json");
      const repeatable = { route: `PATCH /cart/items/${lineId}`, body };
      const change = { lineId, ...body };
      return respondWithCart(c, await callSession(c, "changeItem", change, repeatable));
    },
  )
  .openapi(
    route("delete", "/cart/items/{cart_item_id}", {
      operationId: "removeCartItem",
      tag: "Cart",
      summary: "Remove a line",
      access,
      session: "starts",
      params,
      response: CartView,
      idempotency: { store: "domain" },
    }),
    async (c) => {
      const lineId = c.req.valid("param").cart_item_id;
      const repeatable = { route: `DELETE /cart/items/${lineId}`, body: null };
      return respondWithCart(c, await callSession(c, "removeItem", lineId, repeatable));
    },
  )
  .openapi(
    route("post", "/cart/coupons", {
      operationId: "applyCartCoupon",
      tag: "Cart",
      summary: "Apply a coupon",
      access,
      session: "starts",
      rules: [
        "COUPON_INVALID",
        "COUPON_NOT_STARTED",
        "COUPON_EXPIRED",
        "COUPON_MIN_NOT_MET",
        "COUPON_EXHAUSTED",
        "COUPON_LIMIT",
      ],
      body: requireJson(z.object({ coupon_code: name(100) })),
      response: CartView,
      idempotency: { store: "domain" },
    }),
    async (c) => {
      const body = c.req.valid("json");
      const repeatable = { route: "POST /cart/coupons", body };
      return respondWithCart(c, await callSession(c, "applyCoupon", body.coupon_code, repeatable));
    },
  )
  .openapi(
    route("delete", "/cart/coupons/current", {
      operationId: "removeCartCoupon",
      tag: "Cart",
      summary: "Remove all coupons",
      access,
      session: "starts",
      response: CartView,
      idempotency: { store: "domain" },
    }),
    async (c) => {
      const repeatable = { route: "DELETE /cart/coupons/current", body: null };
      return respondWithCart(c, await callSession(c, "removeCoupons", null, repeatable));
    },
  )
  .openapi(
    route("delete", "/cart/coupons/{coupon_code}", {
      operationId: "removeCartCouponByCode",
      tag: "Cart",
      summary: "Remove one coupon",
      access,
      session: "starts",
      params: z.object({ coupon_code: name(100) }),
      response: CartView,
      idempotency: { store: "domain" },
    }),
    async (c) => {
      const { coupon_code: code } = c.req.valid("param");
      const repeatable = { route: `DELETE /cart/coupons/${code}`, body: null };
      return respondWithCart(c, await callSession(c, "removeCoupon", code, repeatable));
    },
  )
  .openapi(
    route("put", "/cart/delivery", {
      operationId: "setCartDelivery",
      tag: "Cart",
      summary: "Choose how the cart is delivered or collected",
      access,
      session: "starts",
      rules: ["DELIVERY_UNAVAILABLE"],
      body: requireJson(DeliveryChoiceBody),
      response: CartView,
      idempotency: { store: "domain" },
    }),
    async (c) => {
      const body = c.req.valid("json");
      const choice = { optionId: body.option_id, address: body.address ?? null };
      const repeatable = { route: "PUT /cart/delivery", body };
      return respondWithCart(c, await callSession(c, "chooseDelivery", choice, repeatable));
    },
  )
  .openapi(
    route("delete", "/cart/delivery", {
      operationId: "removeCartDelivery",
      tag: "Cart",
      summary: "Remove the delivery",
      access,
      session: "starts",
      response: CartView,
      idempotency: { store: "domain" },
    }),
    async (c) => {
      const repeatable = { route: "DELETE /cart/delivery", body: null };
      return respondWithCart(c, await callSession(c, "removeDelivery", null, repeatable));
    },
  )
  .openapi(
    route("get", "/cart/count", {
      operationId: "countCartItems",
      tag: "Cart",
      summary: "Count the units in the cart",
      access,
      session: "starts",
      response: z.number().int(),
    }),
    async (c) => {
      return c.json(envelope((await callSession(c, "getCart", null)).summary.item_count), 200);
    },
  )
  .openapi(
    route("get", "/cart/total", {
      operationId: "getCartTotal",
      tag: "Cart",
      summary: "Get the cart's total",
      access,
      session: "starts",
      response: z.string(),
    }),
    async (c) => {
      return c.json(
        envelope((await callSession(c, "getCart", null)).summary.pricing.total_price),
        200,
      );
    },
  );

const respondWithCart = (c: StorefrontContext, response: CartResponse) =>
  respondWithJsonChunks<CartBody>(c, ...cartJsonChunks(response));

const newItem = (body: z.infer<typeof NewItemBody>) => ({
  configuration: {
    productId: body.item_id,
    variantId: body.variant_id ?? null,
    addOnOptionIds: body.add_on_options ?? [],
    bundleSelections: body.bundle_selections ?? [],
    compositeSelections: body.composite_selections ?? [],
    specialInstructions: textOrNull(body.special_instructions),
    locationId: body.location_id ?? null,
    billingPlanId: body.billing_plan_id ?? null,
  },
  quantity: body.quantity,
  quoteId: body.quote_id ?? null,
  slot: slotRequestOf(body),
});

function slotRequestOf(body: z.infer<typeof NewItemBody>): SlotRequest | null {
  const start = body.scheduled_start ?? null;
  const end = body.scheduled_end ?? null;
  const staffId = body.staff_id ?? null;
  return start === null && end === null && staffId === null ? null : { start, end, staffId };
}
