import { describe, expect, it } from "vitest";
import { type CreatedBusiness, defaultLocation } from "../../shared/businesses/index.ts";
import { commit } from "../../shared/database/index.ts";
import { listStockMovements, reserveStock } from "../../shared/inventory/index.ts";
import { createKey } from "../support/create-key.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { explainQueries } from "../support/explain-queries.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import {
  contextFor,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
} from "../support/world.ts";

const variant = {
  name: "Small",
  sku: null,
  priceAdjustmentMinor: 0,
  isDefault: true,
  isActive: true,
  axisValues: {},
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
};

async function createStockedShop(existingShop?: CreatedBusiness) {
  const shop = existingShop ?? (await createBusiness());
  const location = defaultLocation(shop.business).id;
  const tea = await createProduct(shop, { name: "Tea", inventoryType: "tracked" });
  const cup = await createProduct(shop, {
    name: "Cup",
    inventoryType: "variant_level",
    variants: [variant],
  });
  const pathOf = (itemId: string | undefined, at = location) =>
    `/inventory/${itemId}/locations/${at}`;
  return { shop, ask: merchant(shop), location, tea, cup, pathOf };
}

describe("PUT /v1/businesses/{business_id}/inventory/{product_or_variant_id}/locations/{location_id}", () => {
  it("sets the quantity of a product or a variant", async () => {
    const { shop, ask, location, tea, cup, pathOf } = await createStockedShop();
    const answer = await ask("PUT", pathOf(tea.id), {
      body: { quantity_on_hand: 7, low_stock_threshold: 2 },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(
      success({
        product_id: tea.id,
        variant_id: null,
        location_id: location,
        quantity_on_hand: 7,
        quantity_reserved: 0,
        quantity_available: 7,
        low_stock_threshold: 2,
        low_stock: false,
        updated_at: expect.stringMatching(/Z$/),
      }),
    );
    const variantId = cup.variants[0]?.id;
    const second = await ask("PUT", pathOf(variantId), { body: { quantity_on_hand: 9 } });
    expect(second.body).toMatchObject(
      success({ product_id: cup.id, variant_id: variantId, low_stock_threshold: null }),
    );
    expect(roundTrips(second).d1).toBe(2);
    expect((await listAuditActions(shop)).slice(-2)).toEqual(["stock.set", "stock.set"]);
  });

  it("keeps an omitted threshold, resets it with null, and audits before and after", async () => {
    const { shop, ask, tea, pathOf } = await createStockedShop();
    await ask("PUT", pathOf(tea.id), { body: { quantity_on_hand: 7, low_stock_threshold: 2 } });
    const updated = await ask("PUT", pathOf(tea.id), { body: { quantity_on_hand: 4 } });
    expect(updated.body).toMatchObject(
      success({ quantity_on_hand: 4, low_stock_threshold: 2, low_stock: false }),
    );
    const [entry] = await selectRows(
      shop,
      "select before, after from audit_entries where business_id = ? and action = 'stock.set' order by id desc",
      shop.business.id,
    );
    expect(JSON.parse(String(entry?.before))).toMatchObject({ quantityOnHand: 7 });
    expect(JSON.parse(String(entry?.after))).toMatchObject({
      quantityOnHand: 4,
      lowStockThreshold: 2,
    });
    const dropped = await ask("PUT", pathOf(tea.id), {
      body: { quantity_on_hand: 4, low_stock_threshold: null },
    });
    expect(dropped.body).toMatchObject(success({ low_stock_threshold: null, low_stock: true }));
    expect(await listOutboxEventTypes(shop)).toEqual(["inventory.low_stock"]);
  });

  it.each([
    ["quantity_on_hand", {}],
    ["quantity_on_hand", { quantity_on_hand: -1 }],
    ["quantity_on_hand", { quantity_on_hand: 1.5 }],
    ["quantity_on_hand", { quantity_on_hand: 1e12 }],
    ["low_stock_threshold", { quantity_on_hand: 1, low_stock_threshold: -1 }],
  ])("rejects an invalid %s with its field and stores nothing", async (field, body) => {
    const { shop, ask, tea, pathOf } = await createStockedShop();
    const before = await countBusinessRows(shop);
    const answer = await ask("PUT", pathOf(tea.id), { body });
    expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await countBusinessRows(shop)).toEqual(before);
  });

  it("rejects untracked items (422) and unknown ones (404), and stores nothing", async () => {
    const { shop, ask, tea, cup, pathOf } = await createStockedShop();
    const loose = await createProduct(shop, { name: "Loose", variants: [variant] });
    const gone = await createProduct(shop, { name: "Gone", inventoryType: "tracked" });
    await ask("DELETE", `/products/${gone.id}`);
    const foreign = await createStockedShop(await createBusinessOnSameShard(shop));
    const before = await countBusinessRows(shop);
    const body = { quantity_on_hand: 1 };
    for (const id of [cup.id, loose.id, loose.variants[0]?.id]) {
      const answer = await ask("PUT", pathOf(id), { body });
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject(
        refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "NOT_TRACKED" } }),
      );
    }
    const missing = [
      pathOf("prod_unknown"),
      pathOf(gone.id),
      pathOf(foreign.tea.id),
      pathOf(tea.id, foreign.location),
    ];
    for (const path of missing) expect((await ask("PUT", path, { body })).status).toBe(404);
    expect(await countBusinessRows(shop)).toEqual(before);
  });

  it("rejects a key without the scope", async () => {
    const { shop, ask, tea, pathOf } = await createStockedShop();
    const headers = {
      "X-API-Key": await createKey(shop, { scopes: ["inventory:read", "catalogue:write"] }),
    };
    expect(
      (await ask("PUT", pathOf(tea.id), { body: { quantity_on_hand: 1 }, headers })).status,
    ).toBe(403);
    expect((await ask("GET", "/inventory", { headers })).status).toBe(200);
  });
});

describe("POST …/adjustments", () => {
  it("adds to the quantity and records the reason", async () => {
    const { shop, ask, tea, pathOf } = await createStockedShop();
    const path = `${pathOf(tea.id)}/adjustments`;
    const first = await ask("POST", path, { body: { delta: 5, reason: "delivery" } });
    expect(first.status).toBe(201);
    const second = await ask("POST", path, { body: { delta: -2, reason: "broken" } });
    expect(second.body).toMatchObject(success({ quantity_on_hand: 3 }));
    expect(roundTrips(second).d1).toBe(2);
    const ledger = await selectRows(
      shop,
      "select on_hand_delta, reason, actor from stock_movements where business_id = ? order by id",
      shop.business.id,
    );
    expect(ledger).toMatchObject([
      { on_hand_delta: 5, reason: "delivery", actor: expect.stringMatching(/^key_/) },
      { on_hand_delta: -2, reason: "broken" },
    ]);
    expect((await listAuditActions(shop)).slice(-2)).toEqual(["stock.adjusted", "stock.adjusted"]);
  });

  it("rejects a quantity below the reservations and stores nothing", async () => {
    const { shop, ask, location, tea, pathOf } = await createStockedShop();
    await ask("PUT", pathOf(tea.id), { body: { quantity_on_hand: 5 } });
    const ctx = contextFor(shop);
    await commit(ctx, {
      writes: reserveStock(ctx, `ord_${tea.id}`, [
        { itemId: tea.id, locationId: location, quantity: 3 },
      ]),
    });
    const before = await countBusinessRows(shop);
    const refused = [
      await ask("POST", `${pathOf(tea.id)}/adjustments`, { body: { delta: -3, reason: "lost" } }),
      await ask("POST", `${pathOf(tea.id)}/adjustments`, { body: { delta: -6, reason: "lost" } }),
      await ask("PUT", pathOf(tea.id), { body: { quantity_on_hand: 2 } }),
    ];
    for (const answer of refused) {
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject(
        refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "STOCK_RESERVED" } }),
      );
    }
    expect(await countBusinessRows(shop)).toEqual(before);
    const allowed = await ask("POST", `${pathOf(tea.id)}/adjustments`, {
      body: { delta: -2, reason: "lost" },
    });
    expect(allowed.body).toMatchObject(
      success({ quantity_on_hand: 3, quantity_reserved: 3, quantity_available: 0 }),
    );
  });

  it("rejects a negative quantity", async () => {
    const { shop, ask, tea, pathOf } = await createStockedShop();
    const before = await countBusinessRows(shop);
    const answer = await ask("POST", `${pathOf(tea.id)}/adjustments`, {
      body: { delta: -1, reason: "lost" },
    });
    expect(answer.status).toBe(422);
    expect(await countBusinessRows(shop)).toEqual(before);
  });

  it("applies concurrent adjustments", async () => {
    const { ask, tea, pathOf } = await createStockedShop();
    await Promise.all(
      [3, 4, 5, 6].map((delta) =>
        ask("POST", `${pathOf(tea.id)}/adjustments`, { body: { delta, reason: "delivery" } }),
      ),
    );
    expect((await ask("GET", "/inventory")).body).toMatchObject(
      success({ items: [{ quantity_on_hand: 18 }] }),
    );
  });

  it.each([
    ["delta", { reason: "x" }],
    ["delta", { delta: 0.5, reason: "x" }],
    ["reason", { delta: 1 }],
    ["reason", { delta: 1, reason: " " }],
    ["reason", { delta: 1, reason: "x".repeat(501) }],
  ])("rejects an invalid %s with its field", async (field, body) => {
    const { ask, tea, pathOf } = await createStockedShop();
    const answer = await ask("POST", `${pathOf(tea.id)}/adjustments`, { body });
    expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
  });
});

describe("GET /v1/businesses/{business_id}/inventory", () => {
  it("paginates and filters", async () => {
    const { shop, ask, location, tea, cup, pathOf } = await createStockedShop();
    const jar = await createProduct(shop, { name: "Jar", inventoryType: "tracked" });
    await ask("PUT", pathOf(tea.id), { body: { quantity_on_hand: 50 } });
    await ask("PUT", pathOf(cup.variants[0]?.id), { body: { quantity_on_hand: 1 } });
    await ask("PUT", pathOf(jar.id), { body: { quantity_on_hand: 4, low_stock_threshold: 4 } });
    const productsOf = async (query: string) => {
      const items = valueAt(await ask("GET", `/inventory${query}`), "data.items");
      return Array.isArray(items) ? items.map(({ product_id }) => product_id) : [];
    };
    expect((await productsOf("")).sort()).toEqual([tea.id, cup.id, jar.id].sort());
    expect(await productsOf("?low_stock=true")).toEqual([cup.id]);
    expect((await productsOf("?low_stock=false")).sort()).toEqual([tea.id, jar.id].sort());
    expect(await productsOf(`?product_id=${cup.id}`)).toEqual([cup.id]);
    expect(await productsOf("?location_id=loc_other")).toEqual([]);
    const first = await ask("GET", `/inventory?limit=2&location_id=${location}`);
    expect(roundTrips(first).d1).toBe(1);
    const cursor = encodeURIComponent(String(valueAt(first, "data.pagination.next_cursor")));
    const rest = await productsOf(`?limit=2&cursor=${cursor}`);
    expect(rest).toHaveLength(1);
    expect((await ask("GET", "/inventory?cursor=Zm9v")).status).toBe(400);
    expect(
      (await merchant(await createBusinessOnSameShard(shop))("GET", "/inventory")).body,
    ).toMatchObject(success({ items: [] }));
  });

  it("scans at most 1,000 levels per page and returns a cursor", async () => {
    const { shop, ask, tea, location, pathOf } = await createStockedShop();
    await ask("PUT", pathOf(tea.id), { body: { quantity_on_hand: 50 } });
    await selectRows(
      shop,
      `with recursive copy (n) as (select 1 union all select n + 1 from copy where n < 1500)
        insert into stock_levels (business_id, item_id, location_id, product_id, quantity_on_hand, updated_at)
        select business_id, printf('item_%04d', n), location_id, product_id, iif(n = 1200, 1, 50), 0
        from stock_levels, copy where item_id = ? and location_id = ?`,
      tea.id,
      location,
    );
    const first = await ask("GET", "/inventory?low_stock=true");
    expect(roundTrips(first).d1).toBe(1);
    const { items, pagination } = dataOf(first);
    expect(items).toEqual([]);
    expect(pagination).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    const rest = await ask("GET", `/inventory?low_stock=true&cursor=${pagination.next_cursor}`);
    expect(dataOf(rest)).toMatchObject({
      items: [{ quantity_on_hand: 1, low_stock: true }],
      pagination: { has_more: false, next_cursor: null },
    });
  });

  it("leaves out archived products and variants", async () => {
    const { shop, ask, tea, cup, pathOf } = await createStockedShop();
    await ask("PUT", pathOf(tea.id), { body: { quantity_on_hand: 5 } });
    await ask("PUT", pathOf(cup.variants[0]?.id), { body: { quantity_on_hand: 1 } });
    const listItems = async () => {
      const items = valueAt(await ask("GET", "/inventory"), "data.items");
      return Array.isArray(items) ? items.map(({ product_id }) => product_id) : [];
    };
    await ask("DELETE", `/products/${tea.id}`);
    expect(await listItems()).toEqual([cup.id]);
    await ask("PATCH", `/products/${cup.id}`, { body: { variants: [] } });
    expect(await listItems()).toEqual([]);
    const updated = await selectRows(
      shop,
      "select item_id from stock_levels where business_id = ?",
      shop.business.id,
    );
    expect(updated).toHaveLength(2);
  });
});

describe("GET …/movements", () => {
  it("lists every change of a level, latest first and page by page", async () => {
    const { shop, ask, tea, cup, pathOf } = await createStockedShop();
    await ask("PUT", pathOf(tea.id), { body: { quantity_on_hand: 7 } });
    await ask("POST", `${pathOf(tea.id)}/adjustments`, { body: { delta: -2, reason: "broken" } });
    const order = await createOrder(shop, tea.id, { quantity: 3 });
    const first = await ask("GET", `${pathOf(tea.id)}/movements?limit=1`);
    expect(dataOf(first).items).toEqual([
      {
        id: expect.any(String),
        on_hand_delta: 0,
        reserved_delta: 3,
        reason: "reserve",
        order_id: order.id,
        actor: expect.any(String),
        created_at: expect.any(String),
      },
    ]);
    expect(roundTrips(first).d1).toBeLessThanOrEqual(2);
    const cursor = encodeURIComponent(dataOf(first).pagination.next_cursor);
    expect(
      dataOf(await ask("GET", `${pathOf(tea.id)}/movements?cursor=${cursor}`)).items,
    ).toMatchObject([
      { on_hand_delta: -2, reserved_delta: 0, reason: "broken", order_id: null },
      { on_hand_delta: 7, reserved_delta: 0, reason: "set", order_id: null },
    ]);
    const [variantOfCup] = cup.variants;
    expect(dataOf(await ask("GET", `${pathOf(variantOfCup?.id)}/movements`)).items).toEqual([]);
  });

  it("finds them along the index of the level", async () => {
    const { shop } = await createStockedShop();
    const [steps] = await explainQueries(shop, (ctx) =>
      listStockMovements(
        ctx,
        { itemId: "prd_any", locationId: "loc_any" },
        { limit: 20, before: { at: 1, id: "mov_any" } },
      ),
    );
    expect(steps?.join("\n")).toMatch(/^SEARCH stock_movements USING .*stock_movements_of_level/);
    expect(steps?.join("\n")).not.toContain("TEMP B-TREE");
  });
});
