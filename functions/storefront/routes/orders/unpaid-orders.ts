import { z } from "@hono/zod-openapi";
import { payOrder } from "../../../../shared/checkout/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import {
  type OrderDetails,
  orderRepo,
  paymentInProgress,
} from "../../../../shared/orders/index.ts";
import { returnUrlsOf } from "../../../../shared/payments/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { respondWithJsonChunks } from "../../../http/bodies.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { createRequestKey } from "../../../http/idempotency/idempotency-key.ts";
import type { RateLimitedContext } from "../../../http/rate-limits/rate-limit.ts";
import { id } from "../../../wire/fields.ts";
import { callAnySession, callExistingSession } from "../../caller-session.ts";
import type { StorefrontBindings, StorefrontContext } from "../../env.ts";
import { createOrderContext, withFxProvider } from "../../order-context.ts";
import { readTokenProof } from "../../order-token.ts";
import { assertWithinLinkLimit, findPaymentLink, loadOrderOfToken } from "../../payment-link.ts";
import { billTokenQuery } from "../../requests/bill-token.ts";
import {
  PayOrderBody,
  readPaymentDeployment,
  toPaymentRequest,
} from "../../requests/payment-request.ts";
import { storeByOrder } from "../../response-stores.ts";
import { CartView, cartJsonChunks } from "../../views/cart.ts";
import { PayOrderResultView, viewPayOrderResult } from "../../views/payment.ts";

const params = z.object({ order_id: id() });
type OrderParams = z.infer<typeof params>;

/** What a shopper does with an order that is not paid. docs/contract/storefront.md#pay-order */
export const unpaidOrders = createRoutes<StorefrontBindings>()
  .openapi(
    route("post", "/orders/{order_id}/pay", {
      operationId: "payOrder",
      tag: "Orders",
      summary: "Pay an order again whose payment has failed or waits",
      access,
      session: "optional",
      rules: [
        "INVALID_STATE",
        "PAYMENT_METHOD_UNAVAILABLE",
        "FX_NOT_CONFIGURED",
        "FX_QUOTE_EXPIRED",
        "FX_QUOTE_MISMATCH",
        "FX_QUOTE_USED",
      ],
      params,
      query: billTokenQuery,
      body: requireJson(PayOrderBody),
      response: PayOrderResultView,
      idempotency: { store: storeByOrder, replay: "fresh" },
    }),
    async (c) => {
      const body = c.req.valid("json");
      const { token = null } = c.req.valid("query");
      const ctx = withFxProvider(c, createOrderContext(c));
      const payment = toPaymentRequest(body, ctx.business, readPaymentDeployment(c));
      const { details, sessionId, checkout, isLinked } = await requireOwnOrder(
        c,
        c.req.valid("param"),
        { token },
      );
      if (checkout === "running") throw paymentInProgress();
      const orderId = details.order.id;
      const paid = await payOrder(ctx, details, {
        ...payment,
        ...(isLinked && { metadata: {} }), // it pays the order and changes nothing else of it
        sessionId,
        receivedAt: c.get("receivedAt"),
        returnUrls: returnUrlsOf(payment.returnUrls, { orderId, billToken: token }),
        requestKey: await createRequestKey(c, body),
      });
      if (checkout === "unpaid") await callExistingSession(c, "closePaidCheckout", orderId);
      return c.json(envelope(viewPayOrderResult(paid)), 200);
    },
  )
  .openapi(
    route("post", "/orders/{order_id}/reopen-cart", {
      operationId: "reopenOrderCart",
      tag: "Orders",
      summary: "Cancel an unpaid order and put its items back into the cart",
      access,
      session: "optional",
      rules: [
        "INVALID_STATE",
        "CANCELLATION_WINDOW_CLOSED",
        "ORDER_NOT_CANCELLABLE",
        "LINE_TOO_LARGE",
        "LOCATION_MISMATCH",
        "CART_FULL",
      ],
      params,
      query: billTokenQuery,
      response: CartView,
      idempotency: { store: "domain" },
    }),
    async (c) => {
      const { order_id: orderId } = c.req.valid("param");
      const { token } = c.req.valid("query");
      const order = { orderId, proof: token === undefined ? null : await readTokenProof(c, token) };
      const repeatable = { route: `POST /orders/${orderId}/reopen-cart`, body: order };
      const called =
        token === undefined
          ? await callExistingSession(c, "reopenCart", order, repeatable)
          : await callAnySession(c, "reopenCart", order, repeatable);
      if (called === null) throw notFound("order");
      return respondWithJsonChunks<z.infer<typeof CartView>>(c, ...cartJsonChunks(called.result));
    },
  );

type OwnOrder = Readonly<{
  details: OrderDetails;
  /** The session that may authorize the payment. */
  sessionId: string;
  checkout: "running" | "unpaid" | null;
  /** Whether a payment link opened it. */
  isLinked: boolean;
}>;

/**
 * The order of the caller's session or customer, of the holder of its bill token, or of a payment
 * link. A link begins no session: the one that placed the order may still authorize the payment.
 *
 * @throws Refusal NOT_FOUND for everybody else.
 */
async function requireOwnOrder(
  c: StorefrontContext & RateLimitedContext,
  { order_id: orderId }: OrderParams,
  { token }: Readonly<{ token: string | null }>,
): Promise<OwnOrder> {
  const link = token === null ? null : await findPaymentLink(c, token);
  if (token !== null && link !== null) {
    const { details } = await loadOrderOfToken(c, { orderId, token });
    await assertWithinLinkLimit(c, link, "submission");
    return { details, sessionId: details.payment.sessionId, checkout: null, isLinked: true };
  }
  const orders = orderRepo(createOrderContext(c));
  if (token !== null) {
    const { session, result } = await callAnySession(c, "getOrderAccess", orderId);
    const details = await orders.getByToken(orderId, await readTokenProof(c, token));
    return { details, sessionId: session.id, checkout: result.checkout, isLinked: false };
  }
  const called = await callExistingSession(c, "getOrderAccess", orderId);
  if (called === null) throw notFound("order");
  const { login, checkout } = called.result;
  const sessionId = called.session.id;
  const details = await orders.getOfSession(orderId, { sessionId, login });
  return { details, sessionId, checkout, isLinked: false };
}
