import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eventCatalogue } from "../../shared/events/catalogue.ts";
import { eventTypes, exampleOf } from "../../shared/events/index.ts";
import { cancelOrder, orderRepo } from "../../shared/orders/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { givenSale, orderContextFor } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { call, givenBusiness } from "../support/world.ts";

const strict = (type: keyof typeof eventCatalogue) =>
  z.strictObject(eventCatalogue[type].data.shape);

describe("the catalogue of events", () => {
  it("lists those of the contract, and no other", () => {
    expect(eventTypes).toEqual([
      "order.created",
      "order.updated",
      "order.completed",
      "order.cancelled",
      "payment.completed",
      "payment.failed",
      "payment.refunded",
      "booking.created",
      "booking.rescheduled",
      "booking.cancelled",
      "subscription.renewed",
      "subscription.cancelled",
      "inventory.low_stock",
    ]);
  });

  it.each(eventTypes)("has an example of %s that is what its schema says", (type) => {
    const { data } = exampleOf(type, "any");
    expect(strict(type).parse(data)).toEqual(data);
  });
});

describe("what is emitted", () => {
  it("is what its schema says, field by field", async () => {
    const shop = await givenBusiness();
    const product = await givenProduct(shop, {
      defaultPriceMinor: 2_500,
      inventoryType: "tracked",
    });
    await givenStock(shop, product, 6);
    const { id } = await givenSale(shop, product.id, { quantity: 2 });
    const ctx = orderContextFor(shop);
    await cancelOrder(ctx, await orderRepo(ctx).get(id), {
      reason: null,
      by: "business",
      requestKey: null,
    });
    const rows = await rowsOf(
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

describe("the storefront's document", () => {
  it("has a webhook for each event, with the body that is sent and its signature headers", async () => {
    const { body } = await call("GET", "/api/v1/openapi.json");
    const { webhooks } = body as { webhooks: Record<string, { post: unknown }> };
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
              example: { type, data: exampleOf(type, "").data },
              schema: {
                required: ["id", "type", "created_at", "data"],
                properties: {
                  data: { required: Object.keys(eventCatalogue[type].data.shape) },
                },
              },
            },
          },
        },
      });
    }
  });
});
