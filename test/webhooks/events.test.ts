import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eventCatalogue } from "../../shared/events/catalogue.ts";
import { eventTypes, exampleEvent, exampleSubject } from "../../shared/events/index.ts";
import { cancelOrder, orderRepo } from "../../shared/orders/index.ts";
import { createOrder, createOrderContext } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { call, createBusiness } from "../support/world.ts";

const strict = (type: keyof typeof eventCatalogue) =>
  z.strictObject(eventCatalogue[type].data.shape);

describe("the event catalogue", () => {
  it("lists the event types of the contract", () => {
    expect(eventTypes).toEqual([
      "order.created",
      "order.updated",
      "order.completed",
      "order.cancelled",
      "payment.completed",
      "payment.failed",
      "payment.refunded",
      "payment.disputed",
      "shipment.created",
      "shipment.updated",
      "booking.created",
      "booking.rescheduled",
      "booking.cancelled",
      "subscription.renewed",
      "subscription.cancelled",
      "inventory.low_stock",
      "support.message_created",
    ]);
  });

  it.each(eventTypes)("has an example of %s that matches its schema", (type) => {
    const { data } = exampleEvent(type, "any");
    expect(strict(type).parse(data)).toEqual(data);
  });
});

describe("an emitted event", () => {
  it("matches its schema exactly", async () => {
    const shop = await createBusiness();
    const product = await createProduct(shop, {
      defaultPriceMinor: 2_500,
      inventoryType: "tracked",
    });
    await setStock(shop, product, 6);
    const { id } = await createOrder(shop, product.id, { quantity: 2 });
    const ctx = createOrderContext(shop);
    await cancelOrder(ctx, await orderRepo(ctx).get(id), {
      reason: null,
      initiator: "business",
      requestKey: null,
    });
    const rows = await selectRows(
      shop,
      "select type, data from events where business_id = ? order by id",
      shop.business.id,
    );
    const emitted = rows.map(({ type, data }) => {
      const known = eventTypes.find((name) => name === type);
      if (!known) throw new Error(`${type} is in no catalogue`);
      strict(known).parse(JSON.parse(String(data)));
      return known;
    });
    expect(new Set(emitted)).toEqual(
      new Set([
        "order.created",
        "payment.completed",
        "order.updated",
        "inventory.low_stock",
        "order.cancelled",
        "payment.refunded",
      ]),
    );
  });
});

describe.each(["/api/v1", "/v1/businesses"])("the OpenAPI document of %s", (prefix) => {
  it("has a webhook for each event, with its body and signature headers", async () => {
    const { body } = await call("GET", `${prefix}/openapi.json`);
    const { webhooks, components } = Object(body);
    expect(Object.keys(webhooks)).toEqual(eventTypes);
    for (const type of eventTypes) {
      expect(webhooks[type]?.post).toMatchObject({
        summary: eventCatalogue[type].meaning,
        parameters: [
          { in: "header", name: "X-Service-Signature" },
          { in: "header", name: "webhook-id" },
          { in: "header", name: "webhook-timestamp" },
          { in: "header", name: "webhook-signature" },
        ],
        requestBody: {
          content: {
            "application/json": {
              example: {
                type,
                subject_id: exampleSubject(type),
                sequence: 1,
                occurred_at: "2026-01-15T08:00:00.000Z",
                data: exampleEvent(type, "").data,
              },
            },
          },
        },
      });
      const { $ref } = webhooks[type].post.requestBody.content["application/json"].schema;
      expect(components.schemas[$ref.split("/").at(-1)]).toMatchObject({
        required: ["id", "type", "subject_id", "sequence", "occurred_at", "created_at", "data"],
        properties: { data: { required: Object.keys(eventCatalogue[type].data.shape) } },
      });
    }
  });
});
