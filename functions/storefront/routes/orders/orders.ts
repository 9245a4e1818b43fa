import { z } from "@hono/zod-openapi";
import { loginEnded } from "../../../../shared/customers/index.ts";
import { notFound, sha256 } from "../../../../shared/kernel/index.ts";
import {
  attachCustomer,
  cancelOrder,
  orderListRepo,
  orderRepo,
  orderStatuses,
  type PaidOrder,
  verifyPayment,
} from "../../../../shared/orders/index.ts";
import type { RequestContext } from "../../../http/api-env.ts";
import { area } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { unauthorized } from "../../../http/errors.ts";
import { requestKeyOf } from "../../../http/idempotency/key.ts";
import { id, pageLimit, queryInteger, text } from "../../../wire/fields.ts";
import { OrderView, viewOrder } from "../../../wire/views/order.ts";
import type { StorefrontBindings } from "../../env.ts";
import { orderContext } from "../../order-context.ts";
import { type BillTokenQuery, billTokenQuery } from "../../requests/bill-token.ts";
import { sessionLogin } from "../../session-call.ts";
import { answersOfOrder } from "../../views/order-answers.ts";
import { PaymentStatusView, viewPaymentStatus } from "../../views/payment.ts";

const params = z.object({ order_id: id() });

const ListQuery = z.object({
  status: z.enum(orderStatuses).optional(),
  location_id: id().optional(),
  limit: pageLimit(),
  offset: queryInteger(0, 1_000_000).default(0),
});

/** interface.md, Orders. */
export const orders = area<StorefrontBindings>()
  .openapi(
    contract("get", "/orders", {
      summary: "The customer's orders, the newest first",
      access,
      query: ListQuery,
      answer: z.array(OrderView),
    }),
    async (c) => {
      const login = await sessionLogin(c);
      if (login === null) throw unauthorized("Log in to see your orders.");
      const { location_id: locationId, ...page } = c.req.valid("query");
      const orders = orderListRepo(orderContext(c));
      const found = await orders.listOfCustomer(login, { ...page, locationId });
      if (found === null) throw loginEnded();
      return c.json(answer(found.map(viewOrder)), 200);
    },
  )
  .openapi(
    contract("get", "/orders/{order_id}", {
      summary: "One order",
      access,
      params,
      query: billTokenQuery,
      answer: OrderView,
    }),
    async (c) => {
      const paid = await visibleOrder(c, c.req.valid("param"), c.req.valid("query"));
      return c.json(answer(viewOrder(paid)), 200);
    },
  )
  .openapi(
    contract("get", "/orders/{order_id}/payment-status", {
      summary: "How the order's payment stands",
      access,
      params,
      query: billTokenQuery,
      answer: PaymentStatusView,
    }),
    async (c) => {
      const paid = await visibleOrder(c, c.req.valid("param"), c.req.valid("query"));
      return c.json(answer(viewPaymentStatus(paid)), 200);
    },
  )
  .openapi(
    contract("post", "/orders/{order_id}/cancel", {
      summary: "Cancel the order; money that was taken goes back",
      access,
      params,
      query: billTokenQuery,
      body: json(z.object({ reason: text(500).nullish() })),
      answer: OrderView,
      answersOf: answersOfOrder,
      knowsRepeats: "alike",
    }),
    async (c) => {
      const ctx = orderContext(c);
      const paid = await visibleOrder(c, c.req.valid("param"), c.req.valid("query"));
      const { reason = null } = c.req.valid("json");
      const cancelled = await cancelOrder(ctx, paid, {
        reason,
        by: "customer",
        requestKey: await requestKeyOf(c, { reason }),
      });
      if (cancelled.isReplay) c.header("Idempotency-Replayed", "true");
      return c.json(answer(viewOrder(cancelled.paid)), 200);
    },
  )
  .openapi(
    contract("post", "/orders/{order_id}/customer", {
      summary: "Make a guest's order a customer's: by its contact, or the one who is logged in",
      access,
      params,
      query: billTokenQuery,
      body: json(z.object({ customer_id: id() })),
      answer: OrderView,
      answersOf: answersOfOrder,
      knowsRepeats: "alike",
    }),
    async (c) => {
      const ctx = orderContext(c);
      const { token } = c.req.valid("query");
      const paid = await visibleOrder(c, c.req.valid("param"), { token });
      // Whoever sees it without a token owns it already: there is nobody to ask about.
      const login = token === undefined ? null : await sessionLogin(c);
      const attached = await attachCustomer(ctx, paid, {
        customerId: c.req.valid("json").customer_id,
        loggedInId: login?.customerId ?? null,
      });
      return c.json(answer(viewOrder(attached)), 200);
    },
  )
  .openapi(
    contract("post", "/orders/{order_id}/verify-payment", {
      summary: "Ask the payment provider anew",
      access,
      params,
      query: billTokenQuery,
      answer: PaymentStatusView,
      answersOf: answersOfOrder,
      knowsRepeats: "anew",
    }),
    async (c) => {
      const ctx = orderContext(c);
      const paid = await visibleOrder(c, c.req.valid("param"), c.req.valid("query"));
      return c.json(answer(viewPaymentStatus(await verifyPayment(ctx, paid))), 200);
    },
  );

/** @throws Refusal NOT_FOUND without the order's token or its customer, as for an order that does not exist. */
async function visibleOrder(
  c: RequestContext<StorefrontBindings>,
  { order_id: orderId }: z.infer<typeof params>,
  { token }: BillTokenQuery,
): Promise<PaidOrder> {
  const orders = orderRepo(orderContext(c));
  if (token !== undefined) return orders.getByToken(orderId, await sha256(token));
  const login = await sessionLogin(c);
  if (login === null) throw notFound("order");
  return orders.getOfCustomer(orderId, login);
}
