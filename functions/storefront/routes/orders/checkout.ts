import { z } from "@hono/zod-openapi";
import { assertReachable } from "../../../../shared/checkout/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import { authorizePayment } from "../../../../shared/orders/index.ts";
import { authorizationTypes } from "../../../../shared/payments/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { requireKey } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { fingerprintBody, readCheckoutKey } from "../../../http/idempotency/idempotency-key.ts";
import { id, text } from "../../../wire/fields.ts";
import { callExistingSession, callSession, readSession } from "../../caller-session.ts";
import type { StorefrontBindings } from "../../env.ts";
import { createOrderContext } from "../../order-context.ts";
import { CheckoutBody, toCheckoutRequest } from "../../requests/checkout-request.ts";
import { readPaymentDeployment } from "../../requests/payment-request.ts";
import { storeBySession } from "../../response-stores.ts";
import {
  AuthorizationView,
  CheckoutResultView,
  viewAuthorization,
  viewCheckoutResult,
} from "../../views/payment.ts";

/**
 * Checkout, and the call with which a shopper answers the challenge of a payment (such as an OTP).
 */
export const checkout = createRoutes<StorefrontBindings>()
  .openapi(
    route("post", "/checkout", {
      summary: "Turn the cart into an order and start its payment",
      access,
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
  )
  .openapi(
    route("post", "/payments/authorization", {
      summary: "Answer a payment's challenge",
      access,
      body: requireJson(
        z.object({
          payment_id: id(),
          authorization: z.object({ type: z.enum(authorizationTypes), value: text(8_192).min(1) }),
        }),
      ),
      response: AuthorizationView,
      idempotency: { store: storeBySession, resumable: true },
    }),
    async (c) => {
      const { payment_id: paymentId, authorization } = c.req.valid("json");
      const called = await callExistingSession(c, "getLogin", null);
      if (called === null) throw notFound("payment");
      const paid = await authorizePayment(createOrderContext(c), {
        paymentId,
        sessionId: called.session.id,
        customerId: called.result?.customerId ?? null,
        ...authorization,
      });
      return c.json(envelope(viewAuthorization(paid)), 200);
    },
  );
