import { z } from "@hono/zod-openapi";
import { type Login, loginEndedRefusal } from "../../../../shared/customers/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import {
  attachCustomer,
  cancelOrder,
  type OrderDetails,
  orderListQuery,
  orderRepo,
  orderStatuses,
  verifyPayment,
} from "../../../../shared/orders/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { publicAddressOf } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { unauthorized } from "../../../http/errors.ts";
import { createRequestKey } from "../../../http/idempotency/idempotency-key.ts";
import { formatNumberPosition, parseNumberPosition } from "../../../wire/cursor-position.ts";
import { id, queryInteger, text } from "../../../wire/fields.ts";
import { createPage, cursorWithOffsetIssue, pageHeaders, pageQuery } from "../../../wire/paging.ts";
import { OrderView, viewOrder } from "../../../wire/views/order.ts";
import { callExistingSession, loadLogin } from "../../caller-session.ts";
import type { StorefrontBindings, StorefrontContext } from "../../env.ts";
import { createOrderContext } from "../../order-context.ts";
import { readTokenProof } from "../../order-token.ts";
import { assertWithinLinkLimit, loadOrderOfToken, withoutCustomer } from "../../payment-link.ts";
import { type BillTokenQuery, billTokenQuery } from "../../requests/bill-token.ts";
import { storeByOrder } from "../../response-stores.ts";
import { PaymentStatusView, viewPaymentStatus } from "../../views/payment.ts";

const params = z.object({ order_id: id() });
type OrderParams = z.infer<typeof params>;

const ListQuery = z
  .object({
    ...pageQuery,
    status: z.enum(orderStatuses).optional(),
    location_id: id().optional(),
    offset: queryInteger(0, 1_000_000).optional(),
  })
  .refine(
    ({ cursor, offset }) => cursor === undefined || offset === undefined,
    cursorWithOffsetIssue,
  );

/** The shopper's calls for orders (docs/contract/storefront.md#order-calls). */
export const orders = createRoutes<StorefrontBindings>()
  .openapi(
    route("get", "/orders", {
      operationId: "listOrders",
      tag: "Orders",
      summary: "List the customer's orders, newest first",
      access,
      session: "required",
      query: ListQuery,
      response: z.array(OrderView),
    }),
    async (c) => {
      const { location_id: locationId, status, limit, cursor, offset = 0 } = c.req.valid("query");
      const last = parseNumberPosition(cursor, "ord_");
      const login = await loadLogin(c);
      if (login === null) throw unauthorized("Log in to see your orders.");
      const orders = await orderListQuery(createOrderContext(c)).listOfCustomer(login, {
        status,
        locationId,
        limit: limit + 1,
        offset,
        before: last && { createdAt: last.number, id: last.id },
      });
      if (orders === null) throw loginEndedRefusal();
      const page = createPage(orders, {
        limit,
        view: (order) => viewOrder(order, publicAddressOf(c)),
        position: ({ order }) => formatNumberPosition(order.createdAt, order.id),
      });
      return c.json(envelope(page.items), 200, pageHeaders(page));
    },
  )
  .openapi(
    route("get", "/orders/{order_id}", {
      operationId: "getOrder",
      tag: "Orders",
      summary: "Get an order",
      access,
      session: "optional",
      params,
      query: billTokenQuery,
      response: OrderView,
    }),
    async (c) => {
      const { details, link } = await requireReadableOrder(
        c,
        c.req.valid("param"),
        c.req.valid("query"),
      );
      const order = viewOrder(details, publicAddressOf(c));
      return c.json(envelope(link === null ? order : withoutCustomer(order)), 200);
    },
  )
  .openapi(
    route("get", "/orders/{order_id}/payment-status", {
      operationId: "getOrderPaymentStatus",
      tag: "Orders",
      summary: "Get an order's payment status",
      access,
      session: "optional",
      params,
      query: billTokenQuery,
      response: PaymentStatusView,
    }),
    async (c) => {
      const { details } = await requireReadableOrder(c, c.req.valid("param"), c.req.valid("query"));
      return c.json(envelope(viewPaymentStatus(createOrderContext(c), details)), 200);
    },
  )
  .openapi(
    route("post", "/orders/{order_id}/cancel", {
      operationId: "cancelOrder",
      tag: "Orders",
      summary: "Cancel an order",
      description: "Captured payments are refunded.",
      access,
      session: "optional",
      rules: ["ORDER_NOT_CANCELLABLE", "CANCELLATION_WINDOW_CLOSED"],
      params,
      query: billTokenQuery,
      body: requireJson(z.object({ reason: text(500).nullish() })),
      response: OrderView,
      idempotency: { store: storeByOrder, replay: "same" },
    }),
    async (c) => {
      const ctx = createOrderContext(c);
      const { details } = await requireVisibleOrder(c, c.req.valid("param"), c.req.valid("query"));
      const { reason = null } = c.req.valid("json");
      const cancelled = await cancelOrder(ctx, details, {
        reason,
        initiator: "customer",
        requestKey: await createRequestKey(c, { reason }),
      });
      if (cancelled.isReplay) c.header("Idempotency-Replayed", "true");
      return c.json(envelope(viewOrder(cancelled.details, publicAddressOf(c))), 200);
    },
  )
  .openapi(
    route("post", "/orders/{order_id}/customer", {
      operationId: "attachOrderCustomer",
      tag: "Orders",
      summary: "Attach a guest's order to a customer, who is logged in or has the order's contact",
      access,
      session: "optional",
      params,
      query: billTokenQuery,
      body: requireJson(z.object({ customer_id: id() })),
      response: OrderView,
      idempotency: { store: storeByOrder, replay: "same" },
    }),
    async (c) => {
      const ctx = createOrderContext(c);
      const { token } = c.req.valid("query");
      const visible = await requireVisibleOrder(c, c.req.valid("param"), { token });
      const login = token === undefined ? visible.login : await loadLogin(c);
      const attached = await attachCustomer(ctx, visible.details, {
        customerId: c.req.valid("json").customer_id,
        loggedInId: login?.customerId ?? null,
      });
      return c.json(envelope(viewOrder(attached, publicAddressOf(c))), 200);
    },
  )
  .openapi(
    route("post", "/orders/{order_id}/verify-payment", {
      operationId: "verifyOrderPayment",
      tag: "Orders",
      summary: "Verify an order's payment with the provider",
      access,
      session: "optional",
      params,
      query: billTokenQuery,
      response: PaymentStatusView,
      idempotency: { store: storeByOrder, replay: "fresh" },
    }),
    async (c) => {
      const ctx = createOrderContext(c);
      const { details, link } = await requireReadableOrder(
        c,
        c.req.valid("param"),
        c.req.valid("query"),
      );
      await assertWithinLinkLimit(c, link, "check");
      return c.json(envelope(viewPaymentStatus(ctx, await verifyPayment(ctx, details))), 200);
    },
  );

/**
 * The order of `requireVisibleOrder`, or that of a payment link, which opens less.
 *
 * @throws Refusal NOT_FOUND for everybody else.
 */
async function requireReadableOrder(
  c: StorefrontContext,
  params: OrderParams,
  { token }: BillTokenQuery,
): ReturnType<typeof loadOrderOfToken> {
  if (token !== undefined) return loadOrderOfToken(c, { orderId: params.order_id, token });
  const { details } = await requireVisibleOrder(c, params, {});
  return { details, link: null };
}

/** An order that the caller may see, and the login of the caller's session. */
type VisibleOrder = Readonly<{
  details: OrderDetails;
  /** Null for a guest, and when a bill token was sent: then the session is not read. */
  login: Login | null;
}>;

/**
 * The order of the bill token's holder, of the session that placed it as a guest, or of the
 * session's customer.
 *
 * @throws Refusal NOT_FOUND for everybody else.
 */
async function requireVisibleOrder(
  c: StorefrontContext,
  { order_id: orderId }: OrderParams,
  { token }: BillTokenQuery,
): Promise<VisibleOrder> {
  const orders = orderRepo(createOrderContext(c));
  if (token !== undefined) {
    return {
      details: await orders.getByToken(orderId, await readTokenProof(c, token)),
      login: null,
    };
  }
  const called = await callExistingSession(c, "getLogin", null);
  if (called === null) throw notFound("order");
  const { session, result: login } = called;
  return { details: await orders.getOfSession(orderId, { sessionId: session.id, login }), login };
}
