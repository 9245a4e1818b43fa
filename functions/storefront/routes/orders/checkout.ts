import { assertReachable } from "../../../../shared/checkout/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { requireKey } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { fingerprintBody, readCheckoutKey } from "../../../http/idempotency/idempotency-key.ts";
import { callSession, readSession } from "../../caller-session.ts";
import type { StorefrontBindings } from "../../env.ts";
import { CheckoutBody, toCheckoutRequest } from "../../requests/checkout-request.ts";
import { readPaymentDeployment } from "../../requests/payment-request.ts";
import { CheckoutResultView, viewCheckoutResult } from "../../views/payment.ts";

export const checkout = createRoutes<StorefrontBindings>().openapi(
  route("post", "/checkout", {
    operationId: "placeOrder",
    tag: "Checkout",
    summary: "Turn the cart into an order and start its payment",
    access,
    session: "starts",
    rules: [
      "CART_EMPTY",
      "PAYMENT_METHOD_UNAVAILABLE",
      "ITEM_UNAVAILABLE",
      "COUPON_INVALID",
      "COUPON_NOT_STARTED",
      "COUPON_EXPIRED",
      "COUPON_MIN_NOT_MET",
      "COUPON_EXHAUSTED",
      "PRICE_CHANGED",
      "DELIVERY_REQUIRED",
      "DELIVERY_UNAVAILABLE",
      "PLAN_NOT_ELIGIBLE",
      "CUSTOMER_REQUIRED",
      "TOO_MANY_UNPAID_BOOKINGS",
      "TOO_MANY_UNPAID_ORDERS",
      "OUT_OF_STOCK",
      "SLOT_INVALID",
      "SLOT_UNAVAILABLE",
      "FX_NOT_CONFIGURED",
      "FX_QUOTE_EXPIRED",
      "FX_QUOTE_MISMATCH",
      "FX_QUOTE_USED",
      "SELECTION_INVALID",
      "LOCATION_MISMATCH",
      "CANCELLATION_WINDOW_CLOSED",
    ],
    body: requireJson(CheckoutBody),
    response: CheckoutResultView,
    idempotency: { store: "domain" },
  }),
  async (c) => {
    const body = c.req.valid("json");
    const request = toCheckoutRequest(body, requireKey(c).business, readPaymentDeployment(c));
    if ((await readSession(c)) === null) assertReachable(null, request); // before a session starts
    const key = readCheckoutKey(c, body.idempotency_key ?? null) ?? crypto.randomUUID();
    const { idempotency_key: _, ...content } = body;
    const fingerprint = await fingerprintBody(content);
    const result = await callSession(c, "checkOut", { request, key, fingerprint });
    return c.json(envelope(viewCheckoutResult(result)), 200);
  },
);
