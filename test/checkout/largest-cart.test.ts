import { describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createDeliveries, deliverDue } from "../../shared/webhooks/index.ts";
import { createProduct } from "../support/create-product.ts";
import { type ApiClient, createBusiness, dataOf, merchant, shopper } from "../support/world.ts";
import {
  createReceiver,
  createWebhookContext,
  createWebhookSubscription,
  unlimitedRun,
} from "../webhooks/create-webhooks.ts";

const maxNameLength = 200;
const maxLines = 200;

/** A product whose names, 50 options and their group have the longest names, of one character. */
const createLargestProduct = (shop: CreatedBusiness, character: string): Promise<Product> => {
  const name = character.repeat(maxNameLength);
  return createProduct(shop, {
    name,
    addOns: [
      {
        name,
        selectionType: "multiple",
        isRequired: false,
        options: Array.from({ length: 50 }, () => ({ name, priceMinor: 1 })),
      },
    ],
  });
};

/** Adds lines with all options and the longest notes until the cart is full; returns the refusal. */
async function fillCart(ask: ApiClient, { id, addOns }: Product, character: string) {
  const options = (addOns[0]?.options ?? []).map((option) => option.id);
  for (let count = 0; count < maxLines; count += 1) {
    const note = `${count}`.padEnd(500, character);
    const body = { item_id: id, add_on_options: options, special_instructions: note };
    const added = await ask("POST", "/cart/items", {
      body,
      headers: { "Idempotency-Key": `add-${count}` },
    });
    if (added.status !== 200) return { refusal: added, lineCount: count };
  }
  throw new Error("The cart took 200 of the largest lines.");
}

describe("the largest cart", () => {
  // A name in Amharic has three bytes a character; one of quotation marks doubles with each encoding.
  it.each([
    ["Amharic", "ጤ", 6],
    ["quotation marks", '"', 10],
  ])(
    "is sold, read, delivered, exported and reopened with names in %s",
    async (_, character, expectedLines) => {
      const shop = await createBusiness();
      const ask = shopper(shop);
      const webhooks = createWebhookContext(shop);
      await createWebhookSubscription(webhooks, { payload: "full" });
      const product = await createLargestProduct(shop, character);

      const { refusal, lineCount } = await fillCart(ask, product, character);
      expect(lineCount).toBe(expectedLines);
      expect(refusal).toMatchObject({
        status: 422,
        body: { error: { context: { rule: "CART_FULL", max_bytes: 700_000 } } },
      });

      const { id: cartId } = dataOf(await ask("GET", "/cart"));
      const placed = await ask("POST", "/checkout", {
        body: {
          cart_id: cartId,
          customer: { phone: "0241234567" },
          payment_method: "cash",
          metadata: { note: character.repeat(7_000) },
        },
        headers: { "Idempotency-Key": "sell" },
      });
      expect(placed.status).toBe(200);
      const { order_id: orderId, bill_token: token } = dataOf(placed);

      const read = await ask("GET", `/orders/${orderId}?token=${token}`);
      expect(dataOf(read).items).toHaveLength(lineCount);
      const { received, send } = createReceiver();
      await createDeliveries(webhooks);
      await deliverDue(webhooks, { send, ...unlimitedRun() });
      expect(JSON.parse(received[0]?.body ?? "{}").data.lines).toEqual(
        dataOf(await merchant(shop)("GET", `/orders/${orderId}`)).items,
      );
      const exported = await merchant(shop)("GET", "/orders/export");
      expect(exported.body).toContain(orderId);
      const reopened = await ask("POST", `/orders/${orderId}/reopen-cart`);
      expect(dataOf(reopened).items).toHaveLength(lineCount);
    },
  );

  it("takes no line whose choices alone are too large", async () => {
    const shop = await createBusiness();
    const components = Array.from({ length: 200 }, () => ({ name: "ጤ".repeat(maxNameLength) }));
    const { product_id, groups } = dataOf(
      await merchant(shop)("POST", "/composites", {
        body: {
          name: "Necklace",
          base_price: "5",
          groups: [{ name: "Beads", max_selections: 200, components }],
        },
      }),
    );
    const composite_selections = groups[0].components.map(
      ({ component_id }: { component_id: string }) => ({ component_id }),
    );
    const add = (selections: unknown) =>
      shopper(shop)("POST", "/cart/items", {
        body: { item_id: product_id, composite_selections: selections },
      });
    expect(await add(composite_selections)).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "LINE_TOO_LARGE", field: "composite_selections" } } },
    });
    expect((await add(composite_selections.slice(0, 100))).status).toBe(200);
  });
});
