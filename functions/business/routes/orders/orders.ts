import { z } from "@hono/zod-openapi";
import {
  addOrderNote,
  bulkStatuses,
  cancelOrder,
  changeOrderStatus,
  changeOrderStatuses,
  exportOrders,
  listOrderNotes,
  orderListQuery,
  orderRepo,
  orderStatuses,
  tagOrder,
} from "../../../../shared/orders/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { publicAddressOf } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { createRequestKey } from "../../../http/idempotency/idempotency-key.ts";
import { formatNumberPosition, parseNumberPosition } from "../../../wire/cursor-position.ts";
import { id, text } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { csvRoute, sendCsv } from "../../csv-response.ts";
import { createMerchantOrderContext } from "../../order-context.ts";
import { bulkIds } from "../../requests/bulk-fields.ts";
import { NoteBody, tagList } from "../../requests/customer-fields.ts";
import { OrderQuery, toOrderFilter } from "../../requests/order-query.ts";
import { BulkStatusView, viewStatusChange } from "../../views/orders/bulk-status.ts";
import { NoteView, viewNote } from "../../views/orders/note.ts";
import { MerchantOrderView, viewMerchantOrder } from "../../views/orders/order.ts";

const path = "/v1/businesses/{business_id}/orders";
const onePath = `${path}/{order_id}` as const;
const params = z.object({ business_id: id() });
const oneParams = params.extend({ order_id: id() });

/** The business's calls for orders (docs/contract/business.md#order-calls). */
export const orders = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listOrders",
      tag: "Orders",
      summary: "List orders, newest first",
      access: secretKey("orders:read"),
      params,
      query: OrderQuery,
      response: Page(MerchantOrderView),
    }),
    async (c) => {
      const ctx = createMerchantOrderContext(c);
      const { limit, cursor, ...filter } = c.req.valid("query");
      const last = parseNumberPosition(cursor);
      const orders = await orderListQuery(ctx).list(toOrderFilter(filter, ctx.business), {
        limit: limit + 1,
        before: last && { createdAt: last.number, id: last.id },
      });
      const page = createPage(orders, {
        limit,
        view: (order) => viewMerchantOrder(order, publicAddressOf(c)),
        position: ({ order }) => formatNumberPosition(order.createdAt, order.id),
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    csvRoute(`${path}/export`, {
      operationId: "exportOrders",
      tag: "Orders",
      summary: "Export orders as a CSV, one order a line, newest first",
      access: secretKey("orders:read"),
      params,
      query: OrderQuery.omit({ limit: true, cursor: true }),
    }),
    async (c) => {
      const ctx = createMerchantOrderContext(c);
      const filter = toOrderFilter(c.req.valid("query"), ctx.business);
      return sendCsv(c, "orders.csv", exportOrders(ctx, filter));
    },
  )
  .openapi(
    route("post", `${path}/bulk-status`, {
      operationId: "changeOrderStatuses",
      tag: "Orders",
      summary: "Change the status of several orders",
      description:
        "The response says for each order whether its status was changed, and why not. Cancel orders one by one, because each may be refunded.",
      access: secretKey("orders:write"),
      params,
      body: requireJson(z.object({ order_ids: bulkIds(), status: z.enum(bulkStatuses) })),
      response: BulkStatusView,
      idempotency: { replay: "same" },
    }),
    async (c) => {
      const { order_ids, status } = c.req.valid("json");
      const results = await changeOrderStatuses(createMerchantOrderContext(c), order_ids, {
        status,
        requestKey: await createRequestKey(c, { order_ids, status }),
      });
      return c.json(envelope({ results: results.map(viewStatusChange) }), 200);
    },
  )
  .openapi(
    route("get", onePath, {
      operationId: "getOrder",
      tag: "Orders",
      summary: "Get an order with its payment and refunds",
      access: secretKey("orders:read"),
      params: oneParams,
      response: MerchantOrderView,
    }),
    async (c) => {
      const details = await orderRepo(createMerchantOrderContext(c)).getByIdOrNumber(
        c.req.valid("param").order_id,
      );
      return c.json(envelope(viewMerchantOrder(details, publicAddressOf(c))), 200);
    },
  )
  .openapi(
    route("patch", onePath, {
      operationId: "updateOrder",
      tag: "Orders",
      summary: "Replace an order's tags",
      description: "Shoppers never see them.",
      access: secretKey("orders:write"),
      params: oneParams,
      body: requireJson(z.object({ tags: tagList() })),
      response: MerchantOrderView,
    }),
    async (c) => {
      const { tags } = c.req.valid("json");
      const tagged = await tagOrder(
        createMerchantOrderContext(c),
        c.req.valid("param").order_id,
        tags,
      );
      return c.json(envelope(viewMerchantOrder(tagged, publicAddressOf(c))), 200);
    },
  )
  .openapi(
    route("get", `${onePath}/notes`, {
      operationId: "listOrderNotes",
      tag: "Orders",
      summary: "List the notes about an order, newest first",
      access: secretKey("orders:read"),
      params: oneParams,
      query: z.object(pageQuery),
      response: Page(NoteView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const notes = await listOrderNotes(
        createMerchantOrderContext(c),
        c.req.valid("param").order_id,
        { limit: limit + 1, after: parseIdPosition(cursor) },
      );
      const page = createPage(notes, { limit, view: viewNote, position: ({ id }) => id });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("post", `${onePath}/notes`, {
      operationId: "addOrderNote",
      tag: "Orders",
      summary: "Add a note to an order",
      description: "Shoppers never see it.",
      access: secretKey("orders:write"),
      params: oneParams,
      body: requireJson(NoteBody),
      response: NoteView,
      status: 201,
    }),
    async (c) => {
      const note = await addOrderNote(
        createMerchantOrderContext(c),
        c.req.valid("param").order_id,
        c.req.valid("json").text,
      );
      return c.json(envelope(viewNote(note)), 201);
    },
  )
  .openapi(
    route("post", `${onePath}/status`, {
      operationId: "changeOrderStatus",
      tag: "Orders",
      summary: "Change an order's status; cancelled cancels the order",
      access: secretKey("orders:write"),
      rules: ["INVALID_STATE", "ORDER_NOT_CANCELLABLE"],
      params: oneParams,
      body: requireJson(z.object({ status: z.enum(orderStatuses) })),
      response: MerchantOrderView,
      idempotency: { replay: "same" },
    }),
    async (c) => {
      const ctx = createMerchantOrderContext(c);
      const details = await orderRepo(ctx).getByIdOrNumber(c.req.valid("param").order_id);
      const { status } = c.req.valid("json");
      const { details: changed } = await changeOrderStatus(ctx, details, {
        status,
        requestKey: await createRequestKey(c, { status }),
      });
      return c.json(envelope(viewMerchantOrder(changed, publicAddressOf(c))), 200);
    },
  )
  .openapi(
    route("post", `${onePath}/cancel`, {
      operationId: "cancelOrder",
      tag: "Orders",
      summary: "Cancel an order",
      description: "Captured payments are refunded.",
      access: secretKey("orders:write"),
      rules: ["INVALID_STATE", "ORDER_NOT_CANCELLABLE"],
      params: oneParams,
      body: requireJson(z.object({ reason: text(500).nullish() })),
      response: MerchantOrderView,
      idempotency: { replay: "same" },
    }),
    async (c) => {
      const ctx = createMerchantOrderContext(c);
      const details = await orderRepo(ctx).getByIdOrNumber(c.req.valid("param").order_id);
      const { reason = null } = c.req.valid("json");
      const { details: changed } = await cancelOrder(ctx, details, {
        reason,
        initiator: "business",
        requestKey: await createRequestKey(c, { reason }),
      });
      return c.json(envelope(viewMerchantOrder(changed, publicAddressOf(c))), 200);
    },
  );
