import { z } from "@hono/zod-openapi";
import { notFound, sha256 } from "../../../shared/kernel/index.ts";
import { orderRepo, type PaidOrder, verifyPayment } from "../../../shared/orders/index.ts";
import { publishableKey as access } from "../../http/access.ts";
import { area } from "../../http/app.ts";
import { answer, contract } from "../../http/contract.ts";
import { id, text } from "../../http/fields.ts";
import type { RequestContext } from "../../http/surface-env.ts";
import { orderContext } from "../order-context.ts";
import { OrderView, viewOrder } from "../views/order.ts";
import { PaymentStatusView, viewPaymentStatus } from "../views/payment.ts";

const params = z.object({ order_id: id() });
/** The bill_token: without it an order is not found. */
const query = z.object({ token: text(200).optional() });

/** interface.md, Orders. */
export const orders = area()
  .openapi(
    contract("get", "/orders/{order_id}", {
      summary: "One order",
      access,
      params,
      query,
      answer: OrderView,
    }),
    async (c) => {
      const { order } = await visibleOrder(
        c,
        c.req.valid("param").order_id,
        c.req.valid("query").token,
      );
      return c.json(answer(viewOrder(order)), 200);
    },
  )
  .openapi(
    contract("get", "/orders/{order_id}/payment-status", {
      summary: "How the order's payment stands",
      access,
      params,
      query,
      answer: PaymentStatusView,
    }),
    async (c) => {
      const paid = await visibleOrder(c, c.req.valid("param").order_id, c.req.valid("query").token);
      return c.json(answer(viewPaymentStatus(paid)), 200);
    },
  )
  .openapi(
    contract("post", "/orders/{order_id}/verify-payment", {
      summary: "Ask the payment provider anew",
      access,
      params,
      query,
      answer: PaymentStatusView,
    }),
    async (c) => {
      const paid = await visibleOrder(c, c.req.valid("param").order_id, c.req.valid("query").token);
      return c.json(answer(viewPaymentStatus(await verifyPayment(orderContext(c), paid))), 200);
    },
  );

/** @throws Refusal NOT_FOUND without the order's token, as for an order that does not exist. */
async function visibleOrder(
  c: RequestContext,
  orderId: string,
  token: string | undefined,
): Promise<PaidOrder> {
  if (token === undefined) throw notFound("order");
  return orderRepo(orderContext(c)).getByToken(orderId, await sha256(token));
}
