import { z } from "@hono/zod-openapi";
import type { AskedSlot } from "../../../shared/cart/index.ts";
import type { RequestContext } from "../../http/api-env.ts";
import { area } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { answerText } from "../../http/json/json-response.ts";
import { replied } from "../../http/object-calls.ts";
import type { Reply } from "../../runtime/objects/reply.ts";
import { id, instant, name, said, text } from "../../wire/fields.ts";
import type { StorefrontBindings } from "../env.ts";
import {
  addOnOptions,
  bundleSelections,
  compositeSelections,
  quantity,
} from "../requests/selection-fields.ts";
import { idempotentCall, openSession } from "../session-call.ts";
import { type CartAnswer, CartItemView, CartView, cartJson } from "../views/cart.ts";

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

const params = z.object({ cart_item_id: id() });

type Cart = z.infer<typeof CartView>;
const CartWithItem = CartView.extend({ item: CartItemView });

/** interface.md, Cart. */
export const cart = area<StorefrontBindings>()
  .openapi(contract("get", "/cart", { summary: "The cart", access, answer: CartView }), async (c) =>
    answerText<Cart>(c, ...cartJson(await cartOf(c))),
  )
  .openapi(
    contract("delete", "/cart", {
      summary: "Empty the cart",
      access,
      answer: CartView,
      answersOf: "itself",
    }),
    async (c) => {
      const { object, call } = await openSession(c);
      const idempotent = await idempotentCall(c, { route: "DELETE /cart", body: null });
      return written(c, object.clear({ ...call, idempotent }));
    },
  )
  .openapi(
    contract("get", "/cart/items", {
      summary: "The cart's lines",
      access,
      answer: z.array(CartItemView),
    }),
    async (c) => answerText<Cart["items"]>(c, (await cartOf(c)).items),
  )
  .openapi(
    contract("post", "/cart/items", {
      summary: "Add an item",
      access,
      body: json(NewItemBody),
      answer: CartWithItem,
      answersOf: "itself",
    }),
    async (c) => {
      const body = c.req.valid("json");
      const { object, call } = await openSession(c);
      const idempotent = await idempotentCall(c, { route: "POST /cart/items", body });
      const added = await replied(c, object.addItem({ ...call, idempotent }, newItem(body)));
      return answerText<z.infer<typeof CartWithItem>>(c, ...cartJson(added));
    },
  )
  .openapi(
    contract("patch", "/cart/items/{cart_item_id}", {
      summary: "Change a line's quantity",
      access,
      params,
      body: json(z.object({ quantity: quantity() })),
      answer: CartView,
      answersOf: "itself",
    }),
    async (c) => {
      const lineId = c.req.valid("param").cart_item_id;
      const body = c.req.valid("json");
      const { object, call } = await openSession(c);
      const idempotent = await idempotentCall(c, { route: `PATCH /cart/items/${lineId}`, body });
      return written(c, object.changeItem({ ...call, idempotent }, { lineId, ...body }));
    },
  )
  .openapi(
    contract("delete", "/cart/items/{cart_item_id}", {
      summary: "Remove a line",
      access,
      params,
      answer: CartView,
      answersOf: "itself",
    }),
    async (c) => {
      const lineId = c.req.valid("param").cart_item_id;
      const { object, call } = await openSession(c);
      const idempotent = await idempotentCall(c, {
        route: `DELETE /cart/items/${lineId}`,
        body: null,
      });
      return written(c, object.removeItem({ ...call, idempotent }, lineId));
    },
  )
  .openapi(
    contract("post", "/cart/coupons", {
      summary: "Apply a coupon",
      access,
      body: json(z.object({ coupon_code: name(100) })),
      answer: CartView,
      answersOf: "itself",
    }),
    async (c) => {
      const body = c.req.valid("json");
      const { object, call } = await openSession(c);
      const idempotent = await idempotentCall(c, { route: "POST /cart/coupons", body });
      return written(c, object.applyCoupon({ ...call, idempotent }, body.coupon_code));
    },
  )
  .openapi(
    contract("delete", "/cart/coupons/current", {
      summary: "Remove the coupon",
      access,
      answer: CartView,
      answersOf: "itself",
    }),
    async (c) => {
      const { object, call } = await openSession(c);
      const route = "DELETE /cart/coupons/current";
      const idempotent = await idempotentCall(c, { route, body: null });
      return written(c, object.removeCoupon({ ...call, idempotent }));
    },
  )
  .openapi(
    contract("get", "/cart/count", {
      summary: "Pieces in the cart",
      access,
      answer: z.number().int(),
    }),
    async (c) => {
      return c.json(answer((await cartOf(c)).summary.item_count), 200);
    },
  )
  .openapi(
    contract("get", "/cart/total", { summary: "The cart's total", access, answer: z.string() }),
    async (c) => {
      return c.json(answer((await cartOf(c)).summary.pricing.total_price), 200);
    },
  );

type StorefrontContext = RequestContext<StorefrontBindings>;

async function cartOf(c: StorefrontContext) {
  const { object, call } = await openSession(c);
  return replied(c, object.cart(call));
}

const written = async (c: StorefrontContext, asked: Promise<Reply<CartAnswer>>) =>
  answerText<Cart>(c, ...cartJson(await replied(c, asked)));

const newItem = (body: z.infer<typeof NewItemBody>) => ({
  configuration: {
    productId: body.item_id,
    variantId: body.variant_id ?? null,
    addOnOptionIds: body.add_on_options ?? [],
    bundleSelections: body.bundle_selections ?? [],
    compositeSelections: body.composite_selections ?? [],
    specialInstructions: said(body.special_instructions),
    locationId: body.location_id ?? null,
    billingPlanId: body.billing_plan_id ?? null,
  },
  quantity: body.quantity,
  quoteId: body.quote_id ?? null,
  slot: askedSlot(body),
});

function askedSlot(body: z.infer<typeof NewItemBody>): AskedSlot | null {
  const start = body.scheduled_start ?? null;
  const end = body.scheduled_end ?? null;
  const staffId = body.staff_id ?? null;
  return start === null && end === null && staffId === null ? null : { start, end, staffId };
}
