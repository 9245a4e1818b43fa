import { z } from "@hono/zod-openapi";
import { invalid, parseMoney } from "../../../../shared/kernel/index.ts";
import {
  cancelOrder,
  changeStatus,
  markPaid,
  orderListRepo,
  orderRepo,
  orderStatuses,
  refundOrder,
} from "../../../../shared/orders/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { requestKeyOf } from "../../../http/idempotency/key.ts";
import { id, moneyText, name, text } from "../../../wire/fields.ts";
import { Page, pageOf } from "../../../wire/paging.ts";
import { merchantOrderContext } from "../../order-context.ts";
import { numberPosition, numberPositionOf } from "../../requests/list-position.ts";
import { OrderQuery, readOrderFilter } from "../../requests/order-query.ts";
import { MerchantOrderView, viewMerchantOrder } from "../../views/orders/order.ts";
import { RefundView, viewRefund } from "../../views/orders/refund.ts";

const path = "/v1/businesses/{business_id}/orders";
const onePath = `${path}/{order_id}` as const;
const params = z.object({ business_id: id() });
const oneParams = params.extend({ order_id: id() });

/** business-surface.md, Orders, payments, customers. */
export const orders = area()
  .openapi(
    contract("get", path, {
      summary: "The business's orders, the newest first",
      access: secretKey("orders:read"),
      params,
      query: OrderQuery,
      answer: Page(MerchantOrderView),
    }),
    async (c) => {
      const ctx = merchantOrderContext(c);
      const { limit, cursor, ...filter } = c.req.valid("query");
      const last = numberPosition(cursor);
      const found = await orderListRepo(ctx).list(readOrderFilter(filter, ctx.business), {
        limit: limit + 1,
        before: last && { createdAt: last.number, id: last.id },
      });
      const page = pageOf(found, {
        limit,
        view: viewMerchantOrder,
        position: ({ order }) => numberPositionOf(order.createdAt, order.id),
      });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("get", onePath, {
      summary: "One order, with its payment and refunds",
      access: secretKey("orders:read"),
      params: oneParams,
      answer: MerchantOrderView,
    }),
    async (c) => {
      const paid = await orderRepo(merchantOrderContext(c)).get(c.req.valid("param").order_id);
      return c.json(answer(viewMerchantOrder(paid)), 200);
    },
  )
  .openapi(
    contract("post", `${onePath}/status`, {
      summary: "Move an order on; cancelled is the same as cancelling it",
      access: secretKey("orders:write"),
      params: oneParams,
      body: json(z.object({ status: z.enum(orderStatuses) })),
      answer: MerchantOrderView,
      knowsRepeats: "alike",
    }),
    async (c) => {
      const ctx = merchantOrderContext(c);
      const found = await orderRepo(ctx).get(c.req.valid("param").order_id);
      const { status } = c.req.valid("json");
      const { paid } = await changeStatus(ctx, found, {
        status,
        requestKey: await requestKeyOf(c, { status }),
      });
      return c.json(answer(viewMerchantOrder(paid)), 200);
    },
  )
  .openapi(
    contract("post", `${onePath}/cancel`, {
      summary: "Cancel an order; money that was taken goes back",
      access: secretKey("orders:write"),
      params: oneParams,
      body: json(z.object({ reason: text(500).nullish() })),
      answer: MerchantOrderView,
      knowsRepeats: "alike",
    }),
    async (c) => {
      const ctx = merchantOrderContext(c);
      const found = await orderRepo(ctx).get(c.req.valid("param").order_id);
      const { reason = null } = c.req.valid("json");
      const { paid } = await cancelOrder(ctx, found, {
        reason,
        by: "business",
        requestKey: await requestKeyOf(c, { reason }),
      });
      return c.json(answer(viewMerchantOrder(paid)), 200);
    },
  )
  .openapi(
    contract("post", `${onePath}/refunds`, {
      summary:
        "Give money of an order back, in the payment's currency, and its pieces to the shelf if asked to",
      access: secretKey("payments:write"),
      params: oneParams,
      body: json(
        z.object({
          amount: moneyText().nullish(),
          reason: text(500).nullish(),
          restock: z.boolean().default(false),
        }),
      ),
      answer: RefundView,
      status: 201,
      knowsRepeats: "anew",
    }),
    async (c) => {
      const ctx = merchantOrderContext(c);
      const { amount = null, reason = null, restock } = c.req.valid("json");
      const found = await orderRepo(ctx).get(c.req.valid("param").order_id);
      const refund = await refundOrder(ctx, found, {
        amountMinor: positiveAmount(amount, found.payment.currency),
        reason,
        restock,
        requestKey: await requestKeyOf(c, { amount, reason, restock }),
      });
      return c.json(answer(viewRefund(refund)), 201);
    },
  )
  .openapi(
    contract("post", `${onePath}/payments/mark-paid`, {
      summary: "Note that the money of a cash order was handed over",
      access: secretKey("payments:write"),
      params: oneParams,
      body: json(z.object({ method: name(40).default("cash"), reference: text(200).nullish() })),
      answer: MerchantOrderView,
      knowsRepeats: "alike",
    }),
    async (c) => {
      const ctx = merchantOrderContext(c);
      const { method, reference } = c.req.valid("json");
      const found = await orderRepo(ctx).get(c.req.valid("param").order_id);
      const paid = await markPaid(ctx, found, { method, reference: reference ?? null });
      return c.json(answer(viewMerchantOrder(paid)), 200);
    },
  );

function positiveAmount(amount: string | null, currency: string): number | null {
  if (amount === null) return null;
  const minor = parseMoney(amount, currency);
  if (minor <= 0) throw invalid("amount", "must be more than zero");
  return minor;
}
