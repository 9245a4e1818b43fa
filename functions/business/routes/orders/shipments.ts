import { z } from "@hono/zod-openapi";
import { createShipment, orderRepo, updateShipment } from "../../../../shared/orders/index.ts";
import type { Shipment } from "../../../../shared/shipments/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { ShipmentView, viewShipment } from "../../../wire/views/shipment.ts";
import { createMerchantOrderContext, createOrderContextForLocation } from "../../order-context.ts";
import { ShipmentBody, ShipmentChanges } from "../../requests/shipment-fields.ts";

const path = "/v1/businesses/{business_id}/orders/{order_id}/shipments";
const onePath = `${path}/{shipment_id}` as const;
const params = z.object({ business_id: id(), order_id: id() });

const MerchantShipmentView = ShipmentView.extend({ notify: z.boolean() }).openapi(
  "MerchantShipment",
);

/** The shipment with what only the business sees. */
const viewMerchantShipment = (shipment: Shipment): z.infer<typeof MerchantShipmentView> => ({
  ...viewShipment(shipment),
  notify: shipment.notify,
});

const toShipmentItem = (item: Readonly<{ order_item_id: string; quantity: number }>) => ({
  orderLineId: item.order_item_id,
  quantity: item.quantity,
});

/** The business's calls for shipments (docs/contract/business.md#shipments). */
export const shipments = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listShipments",
      tag: "Orders",
      summary: "List an order's shipments, oldest first",
      access: secretKey("orders:read"),
      params,
      query: z.object(pageQuery),
      response: Page(MerchantShipmentView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const last = parseIdPosition(cursor, "shp_") ?? "";
      const details = await orderRepo(createMerchantOrderContext(c)).getByIdOrNumber(
        c.req.valid("param").order_id,
      );
      const following = details.shipments.filter((shipment) => shipment.id > last);
      const page = createPage(following.slice(0, limit + 1), {
        limit,
        view: viewMerchantShipment,
        position: (shipment) => shipment.id,
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createShipment",
      tag: "Orders",
      summary: "Ship units of an order; by default everything that is left",
      description: "A label only sets units aside. They leave stock when the status says so.",
      access: secretKey("orders:write"),
      rules: ["INVALID_STATE", "QUANTITY_TOO_LARGE"],
      params,
      body: requireJson(ShipmentBody),
      response: MerchantShipmentView,
      status: 201,
    }),
    async (c) => {
      const { items, location_id: locationId = null, ...body } = c.req.valid("json");
      const ctx = await createOrderContextForLocation(c, locationId);
      const shipment = await createShipment(ctx, c.req.valid("param").order_id, {
        items: items ? items.map(toShipmentItem) : null,
        locationId,
        carrier: body.carrier ?? null,
        trackingNumber: body.tracking_number ?? null,
        trackingUrl: body.tracking_url ?? null,
        status: body.status,
        notify: body.notify,
      });
      return c.json(envelope(viewMerchantShipment(shipment)), 201);
    },
  )
  .openapi(
    route("patch", onePath, {
      operationId: "updateShipment",
      tag: "Orders",
      summary: "Change a shipment's tracking, or move it on",
      access: secretKey("orders:write"),
      rules: ["INVALID_STATE"],
      params: params.extend({ shipment_id: id() }),
      body: requireJson(ShipmentChanges),
      response: MerchantShipmentView,
    }),
    async (c) => {
      const { order_id: idOrNumber, shipment_id: shipmentId } = c.req.valid("param");
      const body = c.req.valid("json");
      const shipment = await updateShipment(createMerchantOrderContext(c), {
        idOrNumber,
        shipmentId,
        changes: {
          carrier: body.carrier,
          trackingNumber: body.tracking_number,
          trackingUrl: body.tracking_url,
          status: body.status,
        },
      });
      return c.json(envelope(viewMerchantShipment(shipment)), 200);
    },
  );
