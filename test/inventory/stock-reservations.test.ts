import { describe, expect, it } from "vitest";
import { defaultLocation } from "../../shared/businesses/index.ts";
import { commit, errorText, findFailedConstraint } from "../../shared/database/index.ts";
import {
  adjustStock,
  findStockLevels,
  fulfilStock,
  isStockShortage,
  releaseStock,
  reserveStock,
  reserveStockAnywhere,
  type StockReservation,
  setStockLevel,
} from "../../shared/inventory/index.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, createBusinessOnSameShard } from "../support/world.ts";

type CreatedShop = Awaited<ReturnType<typeof createBusiness>>;

/** Creates a shop with this quantity of one item at its location. */
async function createStock(
  quantityOnHand: number,
  lowStockThreshold = 0,
  existingShop?: CreatedShop,
) {
  const shop = existingShop ?? (await createBusiness());
  const level = {
    itemId: "prod_tea",
    productId: "prod_tea",
    locationId: defaultLocation(shop.business).id,
  };
  await setStockLevel(contextFor(shop), level, { quantityOnHand, lowStockThreshold });
  return { shop, level };
}

const reservationsOf = (
  { itemId, locationId }: { itemId: string; locationId: string },
  quantity: number,
): StockReservation[] => [{ itemId, locationId, quantity }];

const reserve = (shop: CreatedShop, orderId: string, reservations: readonly StockReservation[]) => {
  const ctx = contextFor(shop);
  return commit(ctx, { writes: reserveStock(ctx, orderId, reservations) });
};
const release = (shop: CreatedShop, orderId: string) => {
  const ctx = contextFor(shop);
  return commit(ctx, { writes: releaseStock(ctx, orderId) });
};
const fulfil = (shop: CreatedShop, orderId: string) => {
  const ctx = contextFor(shop);
  return commit(ctx, { writes: fulfilStock(ctx, [orderId]) });
};

const failureOf = (attempt: Promise<unknown>) => attempt.then(() => "none", errorText);
const failedConstraint = (attempt: Promise<unknown>) =>
  attempt.then(() => null, findFailedConstraint);

async function levelOf(shop: CreatedShop) {
  const [stored] = await findStockLevels(contextFor(shop), ["prod_tea"]);
  return stored && [stored.quantityOnHand, stored.quantityReserved];
}

const ledgerOf = async (shop: CreatedShop) =>
  (
    await selectRows(
      shop,
      "select reason, on_hand_delta, reserved_delta from stock_movements where business_id = ? order by rowid",
      shop.business.id,
    )
  ).map(({ reason, on_hand_delta, reserved_delta }) => [reason, on_hand_delta, reserved_delta]);

const newOrder = () => `ord_${crypto.randomUUID()}`;

describe("reserveStock", () => {
  it("never reserves the same units twice for concurrent orders", async () => {
    const { shop, level } = await createStock(10);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () => reserve(shop, newOrder(), reservationsOf(level, 2))),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await levelOf(shop)).toEqual([10, 10]);
    const [held] = await selectRows(
      shop,
      "select sum(quantity) as held, count(*) as orders from stock_reservations where business_id = ?",
      shop.business.id,
    );
    expect(held).toEqual({ held: 10, orders: 5 });
  });

  it("reserves nothing when one of several items has too little stock", async () => {
    const { shop, level } = await createStock(5);
    const cup = { ...level, itemId: "prod_cup", productId: "prod_cup" };
    await setStockLevel(contextFor(shop), cup, { quantityOnHand: 1 });
    const both = [...reservationsOf(level, 1), ...reservationsOf(cup, 2)];
    expect(await failureOf(reserve(shop, newOrder(), both))).toContain("stock_not_oversold");
    expect(await levelOf(shop)).toEqual([5, 0]);
    expect(
      await selectRows(
        shop,
        "select * from stock_reservations where business_id = ?",
        shop.business.id,
      ),
    ).toEqual([]);
  });

  it("reserves nothing when an item has no stock level", async () => {
    const { shop, level } = await createStock(5);
    const unknownItem = [
      ...reservationsOf(level, 1),
      ...reservationsOf({ ...level, itemId: "prod_none" }, 1),
    ];
    const failure = await failedConstraint(reserve(shop, newOrder(), unknownItem));
    expect(failure).toBe("stock_reservations_level");
    expect(isStockShortage(failure)).toBe(true);
    expect(await levelOf(shop)).toEqual([5, 0]);
  });

  it.each([
    ["too little is available", 3, 4],
    ["nothing is available", 4, 1],
  ])("fails at all locations together when %s", async (_, held, required) => {
    const { shop, level } = await createStock(4);
    await reserve(shop, newOrder(), reservationsOf(level, held));
    const { business } = shop;
    const locations = [...business.locations, { ...defaultLocation(business), id: "loc_kiosk" }];
    const ctx = { ...contextFor(shop), business: { ...business, locations } };
    const writes = reserveStockAnywhere(ctx, newOrder(), {
      requirements: [{ itemId: "prod_tea", quantity: required, preferredOnlyQuantity: 0 }],
      preferredLocationId: "loc_kiosk",
    });
    expect(isStockShortage(await failedConstraint(commit(ctx, { writes })))).toBe(true);
    expect(await levelOf(shop)).toEqual([4, held]);
  });

  it("rejects a second reservation of the same order", async () => {
    const { shop, level } = await createStock(5);
    const orderId = newOrder();
    await reserve(shop, orderId, reservationsOf(level, 2));
    expect(await failureOf(reserve(shop, orderId, reservationsOf(level, 2)))).toContain(
      "stock_reservations.order_id",
    );
    expect(await levelOf(shop)).toEqual([5, 2]);
  });

  it("uses the same number of statements for one item and for a hundred", async () => {
    const { shop, level } = await createStock(5);
    const ctx = contextFor(shop);
    const many = Array.from({ length: 100 }, (_, n) => ({
      ...level,
      itemId: `prod_${n}`,
      quantity: 1,
    }));
    expect(reserveStock(ctx, "ord_a", many)).toHaveLength(
      reserveStock(ctx, "ord_b", reservationsOf(level, 1)).length,
    );
    expect(reserveStock(ctx, "ord_c", [])).toEqual([]);
  });

  it("does not change another business's stock", async () => {
    const { shop, level } = await createStock(5);
    const other = await createStock(5, 0, await createBusinessOnSameShard(shop));
    expect(await failureOf(reserve(other.shop, newOrder(), reservationsOf(level, 1)))).toContain(
      "stock_reservations_level",
    );
    expect(await levelOf(shop)).toEqual([5, 0]);
    const orderId = newOrder();
    await reserve(shop, orderId, reservationsOf(level, 3));
    await release(other.shop, orderId);
    await fulfil(other.shop, orderId);
    expect(await levelOf(shop)).toEqual([5, 3]);
    await release(shop, orderId);
    expect(await levelOf(shop)).toEqual([5, 0]);
  });
});

describe("releaseStock and fulfilStock", () => {
  it("releases an order's reservation once when it runs repeatedly", async () => {
    const { shop, level } = await createStock(5);
    const [first, second] = [newOrder(), newOrder()];
    await reserve(shop, first, reservationsOf(level, 2));
    await reserve(shop, second, reservationsOf(level, 1));
    await Promise.all([release(shop, first), release(shop, first), release(shop, first)]);
    expect(await levelOf(shop)).toEqual([5, 1]);
    expect(await ledgerOf(shop)).toEqual([
      ["set", 5, 0],
      ["reserve", 0, 2],
      ["reserve", 0, 1],
      ["release", 0, -2],
    ]);
  });

  it("fulfils once and leaves nothing to release", async () => {
    const { shop, level } = await createStock(5);
    const orderId = newOrder();
    await reserve(shop, orderId, reservationsOf(level, 2));
    await fulfil(shop, orderId);
    await fulfil(shop, orderId);
    await release(shop, orderId);
    expect(await levelOf(shop)).toEqual([3, 0]);
    expect((await ledgerOf(shop)).at(-1)).toEqual(["fulfil", -2, -2]);
  });

  it("records movements that add up to the level", async () => {
    const { shop, level } = await createStock(20);
    const ids = Array.from({ length: 8 }, newOrder);
    await Promise.all(ids.map((id, n) => reserve(shop, id, reservationsOf(level, 1 + (n % 2)))));
    await Promise.all(ids.map((id, n) => (n % 2 ? release(shop, id) : fulfil(shop, id))));
    await adjustStock(contextFor(shop), level, { delta: -3, reason: "broken" });
    const ledger = await ledgerOf(shop);
    const sumOf = (column: 1 | 2) => ledger.reduce((sum, row) => sum + Number(row[column]), 0);
    expect([sumOf(1), sumOf(2)]).toEqual(await levelOf(shop));
  });
});

describe("inventory.low_stock", () => {
  const lowStockEventCount = async (shop: CreatedShop) => (await listOutboxEventTypes(shop)).length;

  it("is sent once below the threshold, and again only after stock rose above it", async () => {
    const { shop, level } = await createStock(5, 3);
    const [first, second, third] = [newOrder(), newOrder(), newOrder()];
    await reserve(shop, first, reservationsOf(level, 2));
    expect(await lowStockEventCount(shop)).toBe(0); // 3 left: at the threshold, not below it
    await reserve(shop, second, reservationsOf(level, 1));
    expect(await lowStockEventCount(shop)).toBe(1);
    await reserve(shop, third, reservationsOf(level, 1));
    await fulfil(shop, third);
    expect(await lowStockEventCount(shop)).toBe(1);
    await release(shop, second);
    expect(await lowStockEventCount(shop)).toBe(1); // 2 left: still below
    await adjustStock(contextFor(shop), level, { delta: 5, reason: "delivery" });
    await setStockLevel(contextFor(shop), level, { quantityOnHand: 3 });
    expect(await lowStockEventCount(shop)).toBe(2);
  });

  it("is sent again when a release raised the stock and it fell again", async () => {
    const { shop, level } = await createStock(5, 3);
    const orderId = newOrder();
    await reserve(shop, orderId, reservationsOf(level, 3));
    await release(shop, orderId);
    await reserve(shop, newOrder(), reservationsOf(level, 3));
    expect(await lowStockEventCount(shop)).toBe(2);
  });

  it("is sent once for concurrent orders", async () => {
    const { shop, level } = await createStock(20, 15);
    await Promise.all(
      Array.from({ length: 12 }, () => reserve(shop, newOrder(), reservationsOf(level, 1))),
    );
    expect(await lowStockEventCount(shop)).toBe(1);
  });

  it("carries the item, location, available quantity and threshold", async () => {
    const { shop, level } = await createStock(5, 3);
    const variant = { ...level, itemId: "var_large" };
    await setStockLevel(contextFor(shop), variant, { quantityOnHand: 4 });
    const rows = await selectRows(
      shop,
      "select type, subject_id, data from events where business_id = ?",
      shop.business.id,
    );
    expect(rows.map((row) => ({ ...row, data: JSON.parse(String(row.data)) }))).toEqual([
      {
        type: "inventory.low_stock",
        subject_id: "prod_tea",
        data: {
          product_id: "prod_tea",
          variant_id: "var_large",
          location_id: level.locationId,
          quantity_available: 4,
          threshold: shop.business.settings.lowStockThreshold,
        },
      },
    ]);
  });
});
