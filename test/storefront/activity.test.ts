import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { setStockLevel } from "../../shared/inventory/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { dataOf } from "../support/orders.ts";
import { contextFor, roundTrips, shopper } from "../support/world.ts";
import { activitySession, passes, search, view } from "./activity-session.ts";

const { shop, ask, session, send, state, add, givenSettings } = activitySession();

describe("GET /activity/state", () => {
  it("tells a stranger nothing, and makes no session", async () => {
    const answer = await ask("GET", "/activity/state");
    expect(answer).toMatchObject({ status: 200 });
    expect(dataOf(answer)).toEqual({
      activity: null,
      intent: "baseline",
      messages: [],
      incentive: null,
    });
    expect(answer.headers.get("set-cookie")).toBeNull();
    const warm = await ask("GET", "/activity/state");
    expect(roundTrips(warm)).toMatchObject({ d1: 0, do: 0 });
  });

  it("belongs to its session, and outlives an eviction", async () => {
    await send(search);
    await evictDurableObject(session());
    expect((await state()).activity.search_count).toBe(1);
    expect(await shopper(shop())("GET", "/activity/state")).toMatchObject({
      body: { data: { activity: null } },
    });
  });

  it("is empty for a session that only looked into its cart", async () => {
    await ask("GET", "/cart");
    expect(await state()).toMatchObject({
      activity: { viewed_products: [], viewed_categories: [], search_count: 0 },
      intent: "baseline",
    });
  });

  it("follows the intent with the business's incentive", async () => {
    await givenSettings({
      incentives: [
        { intent: "considering", templateId: "tpl_1", agentId: "agent_1" },
        { intent: "ready_to_buy", templateId: "tpl_2", agentId: "agent_1" },
      ],
    });
    const product = await givenProduct(shop());
    await ask("GET", "/cart");
    expect(await state()).toMatchObject({ intent: "baseline", incentive: null });
    await send(view(product.id), view(product.id));
    expect(await state()).toMatchObject({
      intent: "considering",
      incentive: { template_id: "tpl_1", agent_id: "agent_1" },
    });
    await add(product.id);
    expect(await state()).toMatchObject({
      intent: "ready_to_buy",
      incentive: { template_id: "tpl_2", agent_id: "agent_1" },
    });
    passes(31 * minute);
    expect(await state()).toMatchObject({ intent: "baseline", incentive: null });
  });

  it("tells what is missing for free delivery, until it is there", async () => {
    await givenSettings({ freeDeliveryThresholdMinor: 2_500 });
    const product = await givenProduct(shop(), { defaultPriceMinor: 1_000 });
    await add(product.id, 2);
    expect((await state()).messages).toEqual([
      {
        code: "free_delivery_threshold",
        title: "GHS 5.00 more for free delivery.",
        severity: "info",
      },
    ]);
    await add(product.id);
    expect((await state()).messages).toEqual([]);
  });

  it("greets who comes back to a product after half an hour", async () => {
    const product = await givenProduct(shop());
    await send(view(product.id));
    passes(29 * minute);
    await send(view(product.id));
    expect((await state()).messages).toEqual([]);
    passes(minute);
    await send(view(product.id));
    expect((await state()).messages).toMatchObject([{ code: `back_again:${product.id}` }]);
  });

  it("looks at what of a product's stock is reserved, and at its own threshold", async () => {
    const product = await givenProduct(shop(), { inventoryType: "tracked" });
    await givenStock(shop(), product, 6);
    await send(view(product.id));
    expect((await state()).messages).toEqual([]);
    const cart = dataOf(await add(product.id, 2));
    const bought = await ask("POST", "/checkout", {
      body: { cart_id: cart.id, customer: { phone: "0241234567" }, payment_method: "cash" },
    });
    expect(bought).toMatchObject({ status: 200 });
    expect((await state()).messages).toMatchObject([{ code: `low_stock:${product.id}` }]);
  });

  it("counts nothing that is left at an archived location", async () => {
    const product = await givenProduct(shop(), { inventoryType: "tracked" });
    await givenStock(shop(), product, 3);
    const ctx = contextFor(shop());
    await setStockLevel(
      ctx,
      { itemId: product.id, productId: product.id, locationId: "loc_archived" },
      { quantityOnHand: 90 },
    );
    await send(view(product.id));
    expect((await state()).messages).toMatchObject([{ code: `low_stock:${product.id}` }]);
  });
});

describe("POST /activity/messages/dismiss", () => {
  const dismiss = (code: string) => ask("POST", "/activity/messages/dismiss", { body: { code } });

  it("sends a message away for the session, and no other", async () => {
    await givenSettings({ freeDeliveryThresholdMinor: 9_000 });
    const product = await givenProduct(shop(), { inventoryType: "tracked" });
    await givenStock(shop(), product, 3);
    await add(product.id);
    await send(view(product.id));
    const code = `low_stock:${product.id}`;
    const left = [{ code: "free_delivery_threshold" }];
    expect(await dismiss(code)).toMatchObject({
      status: 200,
      body: { data: { dismissed: code, messages: left } },
    });
    await evictDurableObject(session());
    passes(3 * 60 * minute);
    expect(dataOf(await send(view(product.id))).messages).toMatchObject([
      ...left,
      { code: `back_again:${product.id}` },
    ]);
  });

  it("takes a code of nothing, twice even, and stores none that no message has", async () => {
    for (const code of ["nonsense", "nonsense", "back_again:prod_unknown"]) {
      expect(await dismiss(code)).toMatchObject({
        status: 200,
        body: { data: { dismissed: code, messages: [] } },
      });
    }
    const codes = await runInDurableObject(session(), (_, { storage }) =>
      storage.sql.exec("select code from dismissed_messages").toArray(),
    );
    expect(codes).toEqual([{ code: "back_again:prod_unknown" }]);
  });

  it("refuses an empty code", async () => {
    expect(await dismiss("")).toMatchObject({
      status: 400,
      body: { error: { context: { field: "code" } } },
    });
  });
});
