import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { setStockLevel } from "../../shared/inventory/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { contextFor, dataOf, roundTrips, shopper } from "../support/world.ts";
import {
  advanceTime,
  productView,
  search,
  setUpActivitySession,
} from "./create-activity-session.ts";

const { shop, ask, session, send, state, add, updateSettings } = setUpActivitySession();

describe("GET /activity/state", () => {
  it("returns an empty state without a session and creates none", async () => {
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

  it("belongs to its session and survives an eviction", async () => {
    await send(search);
    await evictDurableObject(session());
    expect((await state()).activity.search_count).toBe(1);
    expect(await shopper(shop())("GET", "/activity/state")).toMatchObject({
      body: { data: { activity: null } },
    });
  });

  it("is empty for a session that only read its cart", async () => {
    await ask("GET", "/cart");
    expect(await state()).toMatchObject({
      activity: { viewed_products: [], viewed_categories: [], search_count: 0 },
      intent: "baseline",
    });
  });

  it("returns the incentive of the intent", async () => {
    await updateSettings({
      incentives: [
        { intent: "considering", templateId: "tpl_1", agentId: "agent_1" },
        { intent: "ready_to_buy", templateId: "tpl_2", agentId: "agent_1" },
      ],
    });
    const product = await createProduct(shop());
    await ask("GET", "/cart");
    expect(await state()).toMatchObject({ intent: "baseline", incentive: null });
    await send(productView(product.id), productView(product.id));
    expect(await state()).toMatchObject({
      intent: "considering",
      incentive: { template_id: "tpl_1", agent_id: "agent_1" },
    });
    await add(product.id);
    expect(await state()).toMatchObject({
      intent: "ready_to_buy",
      incentive: { template_id: "tpl_2", agent_id: "agent_1" },
    });
    advanceTime(31 * minute);
    expect(await state()).toMatchObject({ intent: "baseline", incentive: null });
  });

  it("shows the amount missing for free delivery until it is reached", async () => {
    await updateSettings({ freeDeliveryThresholdMinor: 2_500 });
    const product = await createProduct(shop(), { defaultPriceMinor: 1_000 });
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

  it("greets a return visit after 30 minutes", async () => {
    const product = await createProduct(shop());
    await send(productView(product.id));
    advanceTime(29 * minute);
    await send(productView(product.id));
    expect((await state()).messages).toEqual([]);
    advanceTime(minute);
    await send(productView(product.id));
    expect((await state()).messages).toMatchObject([{ code: `back_again:${product.id}` }]);
  });

  it("uses the available stock and the level's own threshold", async () => {
    const product = await createProduct(shop(), { inventoryType: "tracked" });
    await setStock(shop(), product, 6);
    await send(productView(product.id));
    expect((await state()).messages).toEqual([]);
    const cart = dataOf(await add(product.id, 2));
    const bought = await ask("POST", "/checkout", {
      body: { cart_id: cart.id, customer: { phone: "0241234567" }, payment_method: "cash" },
    });
    expect(bought).toMatchObject({ status: 200 });
    expect((await state()).messages).toMatchObject([{ code: `low_stock:${product.id}` }]);
  });

  it("ignores stock at archived locations", async () => {
    const product = await createProduct(shop(), { inventoryType: "tracked" });
    await setStock(shop(), product, 3);
    const ctx = contextFor(shop());
    await setStockLevel(
      ctx,
      { itemId: product.id, productId: product.id, locationId: "loc_archived" },
      { quantityOnHand: 90 },
    );
    await send(productView(product.id));
    expect((await state()).messages).toMatchObject([{ code: `low_stock:${product.id}` }]);
  });
});

describe("POST /activity/messages/dismiss", () => {
  const dismiss = (code: string) => ask("POST", "/activity/messages/dismiss", { body: { code } });

  it("dismisses a message for this session only", async () => {
    await updateSettings({ freeDeliveryThresholdMinor: 9_000 });
    const product = await createProduct(shop(), { inventoryType: "tracked" });
    await setStock(shop(), product, 3);
    await add(product.id);
    await send(productView(product.id));
    const code = `low_stock:${product.id}`;
    const left = [{ code: "free_delivery_threshold" }];
    expect(await dismiss(code)).toMatchObject({
      status: 200,
      body: { data: { dismissed: code, messages: left } },
    });
    await evictDurableObject(session());
    advanceTime(3 * 60 * minute);
    expect(dataOf(await send(productView(product.id))).messages).toMatchObject([
      ...left,
      { code: `back_again:${product.id}` },
    ]);
  });

  it("accepts unknown codes without storing them", async () => {
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

  it("rejects an empty code", async () => {
    expect(await dismiss("")).toMatchObject({
      status: 400,
      body: { error: { context: { field: "code" } } },
    });
  });
});
