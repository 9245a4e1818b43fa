import { z } from "@hono/zod-openapi";
import { invalid, parseMoney } from "../../../../shared/kernel/index.ts";
import {
  createPaymentLink,
  markOrderPaid,
  markRefundPaid,
  orderRepo,
  refundOrder,
} from "../../../../shared/orders/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { publicAddressOf } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { createRequestKey } from "../../../http/idempotency/idempotency-key.ts";
import { id, moneyText, name, text } from "../../../wire/fields.ts";
import { createMerchantOrderContext } from "../../order-context.ts";
import { MerchantOrderView, viewMerchantOrder } from "../../views/orders/order.ts";
import { createPaymentLinkView, PaymentLinkView } from "../../views/orders/payment-link.ts";
import { RefundView, viewRefund } from "../../views/orders/refund.ts";

const onePath = "/v1/businesses/{business_id}/orders/{order_id}";
const oneParams = z.object({ business_id: id(), order_id: id() });

/** What the business does with the money of an order (docs/contract/business.md#order-calls). */
export const orderPayments = createRoutes()
  .openapi(
    route("post", `${onePath}/refunds`, {
      operationId: "refundOrder",
      tag: "Orders",
      summary: "Refund an order in the payment's currency, and optionally restock its items",
      access: secretKey("payments:write"),
      rules: ["INVALID_STATE", "REFUND_TOO_LARGE"],
      params: oneParams,
      body: requireJson(
        z.object({
          amount: moneyText().nullish(),
          reason: text(500).nullish(),
          restock: z.boolean().default(false),
        }),
      ),
      response: RefundView,
      status: 201,
      idempotency: { replay: "fresh" },
    }),
    async (c) => {
      const ctx = createMerchantOrderContext(c);
      const { amount = null, reason = null, restock } = c.req.valid("json");
      const details = await orderRepo(ctx).getByIdOrNumber(c.req.valid("param").order_id);
      const refund = await refundOrder(ctx, details, {
        amountMinor: parsePositiveAmount(amount, details.payment.currency),
        reason,
        restock,
        requestKey: await createRequestKey(c, { amount, reason, restock }),
      });
      return c.json(envelope(viewRefund(refund)), 201);
    },
  )
  .openapi(
    route("post", `${onePath}/refunds/{refund_id}/mark-paid`, {
      operationId: "markRefundPaid",
      tag: "Orders",
      summary: "Record that a due refund of cash was returned to the customer",
      access: secretKey("payments:write"),
      rules: ["INVALID_STATE"],
      params: oneParams.extend({ refund_id: id() }),
      response: RefundView,
      idempotency: { replay: "same" },
    }),
    async (c) => {
      const ctx = createMerchantOrderContext(c);
      const { order_id: orderId, refund_id: refundId } = c.req.valid("param");
      const details = await orderRepo(ctx).get(orderId);
      return c.json(envelope(viewRefund(await markRefundPaid(ctx, details, refundId))), 200);
    },
  )
  .openapi(
    route("post", `${onePath}/payment-link`, {
      operationId: "createPaymentLink",
      tag: "Orders",
      summary: "Create a link to a page on which the order is paid",
      access: secretKey("orders:write"),
      rules: ["INVALID_STATE"],
      params: oneParams,
      response: PaymentLinkView,
      idempotency: { replay: "fresh" },
    }),
    async (c) => {
      const ctx = createMerchantOrderContext(c);
      const { order_id: orderId } = c.req.valid("param");
      const expiresAt = await createPaymentLink(ctx, await orderRepo(ctx).get(orderId));
      return c.json(envelope(await createPaymentLinkView(c, { orderId, expiresAt })), 200);
    },
  )
  .openapi(
    route("post", `${onePath}/payments/mark-paid`, {
      operationId: "markOrderPaid",
      tag: "Orders",
      summary: "Mark a cash order as paid",
      access: secretKey("payments:write"),
      rules: ["INVALID_STATE"],
      params: oneParams,
      body: requireJson(
        z.object({ method: name(40).default("cash"), reference: text(200).nullish() }),
      ),
      response: MerchantOrderView,
      idempotency: { replay: "same" },
    }),
    async (c) => {
      const ctx = createMerchantOrderContext(c);
      const { method, reference } = c.req.valid("json");
      const details = await orderRepo(ctx).getByIdOrNumber(c.req.valid("param").order_id);
      const marked = await markOrderPaid(ctx, details, { method, reference: reference ?? null });
      return c.json(envelope(viewMerchantOrder(marked, publicAddressOf(c))), 200);
    },
  );

function parsePositiveAmount(amount: string | null, currency: string): number | null {
  if (amount === null) return null;
  const minor = parseMoney(amount, currency);
  if (minor <= 0) throw invalid("amount", "must be greater than zero");
  return minor;
}
