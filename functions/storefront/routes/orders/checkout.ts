import { z } from "@hono/zod-openapi";
import { notFound } from "../../../../shared/kernel/index.ts";
import { authorizePayment } from "../../../../shared/orders/index.ts";
import { authorizationTypes } from "../../../../shared/payments/index.ts";
import { area } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { keyed } from "../../../http/context.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { checkoutKeyOf, fingerprintOf } from "../../../http/idempotency/key.ts";
import { replied } from "../../../http/object-calls.ts";
import { id, text } from "../../../wire/fields.ts";
import type { StorefrontBindings } from "../../env.ts";
import { checkoutRoute } from "../../objects/cart-session/open-checkout.ts";
import { orderContext } from "../../order-context.ts";
import { CheckoutBody, checkoutRequest } from "../../requests/checkout-request.ts";
import { askKnown, openSession } from "../../session-call.ts";
import { answersOfSession } from "../../views/order-answers.ts";
import {
  AuthorizationView,
  CheckoutResultView,
  viewAuthorization,
  viewCheckout,
} from "../../views/payment.ts";

/** interface.md, Checkout. */
export const checkout = area<StorefrontBindings>()
  .openapi(
    contract("post", "/checkout", {
      summary: "Turn the cart into an order and start its payment",
      access,
      body: json(CheckoutBody),
      answer: CheckoutResultView,
      answersOf: "itself",
    }),
    async (c) => {
      const body = c.req.valid("json");
      const request = checkoutRequest(body, keyed(c).business, new URL(c.req.url).origin);
      const key = checkoutKeyOf(c, body.idempotency_key ?? null) ?? crypto.randomUUID();
      const { object, call } = await openSession(c);
      const { idempotency_key: _, ...asked } = body;
      const idempotent = { route: checkoutRoute, key, fingerprint: await fingerprintOf(asked) };
      const result = await replied(c, object.checkout({ ...call, idempotent }, request));
      return c.json(answer(viewCheckout(result)), 200);
    },
  )
  .openapi(
    contract("post", "/payments/authorization", {
      summary: "Answer a payment's challenge",
      access,
      body: json(
        z.object({
          payment_id: id(),
          authorization: z.object({ type: z.enum(authorizationTypes), value: text(8_192).min(1) }),
        }),
      ),
      answer: AuthorizationView,
      answersOf: answersOfSession,
      goesOn: true,
    }),
    async (c) => {
      const { payment_id: paymentId, authorization } = c.req.valid("json");
      const known = await askKnown(c, "login");
      if (known === null) throw notFound("payment");
      const paid = await authorizePayment(orderContext(c), {
        paymentId,
        sessionId: known.session.id,
        customerId: known.answer?.customerId ?? null,
        ...authorization,
      });
      return c.json(answer(viewAuthorization(paid)), 200);
    },
  );
