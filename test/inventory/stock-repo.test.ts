import { describe, expect, it } from "vitest";
import { defaultLocation } from "../../shared/businesses/index.ts";
import { commit, messageOf, type Write } from "../../shared/database/index.ts";
import {
  adjustStock,
  isShort,
  type Reservation,
  setStockLevel,
  stockRepo,
} from "../../shared/inventory/index.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

type Shop = Awaited<ReturnType<typeof givenBusiness>>;

/** A shop with so many pieces of one item at its location, and a threshold of zero. */
async function givenStock(quantityOnHand: number, lowStockThreshold = 0, given?: Shop) {
  const shop = given ?? (await givenBusiness());
  const place = {
    itemId: "prod_tea",
    productId: "prod_tea",
    locationId: defaultLocation(shop.business).id,
  };
  await setStockLevel(contextFor(shop), place, { quantityOnHand, lowStockThreshold });
  return { shop, place };
}

const pieces = (
  { itemId, locationId }: { itemId: string; locationId: string },
  quantity: number,
): Reservation[] => [{ itemId, locationId, quantity }];

function committed(shop: Shop, writes: (repo: ReturnType<typeof stockRepo>) => readonly Write[]) {
  const ctx = contextFor(shop);
  return commit(ctx, { writes: writes(stockRepo(ctx)) });
}

const reserve = (shop: Shop, orderId: string, reservations: readonly Reservation[]) =>
  committed(shop, (repo) => repo.reserve(orderId, reservations));
const release = (shop: Shop, orderId: string) => committed(shop, (repo) => repo.release(orderId));
const fulfil = (shop: Shop, orderId: string) => committed(shop, (repo) => repo.fulfil(orderId));

const failureOf = (attempt: Promise<unknown>) => attempt.then(() => "none", messageOf);

async function levelOf(shop: Shop) {
  const [level] = await stockRepo(contextFor(shop)).findLevels(["prod_tea"]);
  return level && [level.quantityOnHand, level.quantityReserved];
}

const ledgerOf = async (shop: Shop) =>
  (
    await rowsOf(
      shop,
      "select reason, on_hand_delta, reserved_delta from stock_movements where business_id = ? order by rowid",
      shop.business.id,
    )
  ).map(({ reason, on_hand_delta, reserved_delta }) => [reason, on_hand_delta, reserved_delta]);

const newOrder = () => `ord_${crypto.randomUUID()}`;

describe("reserve", () => {
  it("never sells the last pieces twice, however many ask at once", async () => {
    const { shop, place } = await givenStock(10);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () => reserve(shop, newOrder(), pieces(place, 2))),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await levelOf(shop)).toEqual([10, 10]);
    const [held] = await rowsOf(
      shop,
      "select sum(quantity) as held, count(*) as orders from stock_reservations where business_id = ?",
      shop.business.id,
    );
    expect(held).toEqual({ held: 10, orders: 5 });
  });

  it("fails whole when one of several items is short", async () => {
    const { shop, place } = await givenStock(5);
    const cup = { ...place, itemId: "prod_cup", productId: "prod_cup" };
    await setStockLevel(contextFor(shop), cup, { quantityOnHand: 1 });
    const both = [...pieces(place, 1), ...pieces(cup, 2)];
    expect(await failureOf(reserve(shop, newOrder(), both))).toContain("stock_not_oversold");
    expect(await levelOf(shop)).toEqual([5, 0]);
    expect(
      await rowsOf(
        shop,
        "select * from stock_reservations where business_id = ?",
        shop.business.id,
      ),
    ).toEqual([]);
  });

  it("fails whole where nothing was ever counted", async () => {
    const { shop, place } = await givenStock(5);
    const nowhere = [...pieces(place, 1), ...pieces({ ...place, itemId: "prod_none" }, 1)];
    const failure = await failureOf(reserve(shop, newOrder(), nowhere));
    expect(failure).toContain("stock_reservations_level");
    expect(isShort(failure)).toBe(true);
    expect(await levelOf(shop)).toEqual([5, 0]);
  });

  it.each([
    ["fewer are left", 3, 4],
    ["none is", 4, 1],
  ])("is short wherever it may take pieces from, where %s", async (_, held, wanted) => {
    const { shop, place } = await givenStock(4);
    await reserve(shop, newOrder(), pieces(place, held));
    const { business } = shop;
    const locations = [...business.locations, { ...defaultLocation(business), id: "loc_kiosk" }];
    const ctx = { ...contextFor(shop), business: { ...business, locations } };
    const asked = [{ itemId: "prod_tea", quantity: wanted, tied: 0 }];
    const writes = stockRepo(ctx).reserveWherever(newOrder(), asked, "loc_kiosk");
    expect(isShort(await failureOf(commit(ctx, { writes })))).toBe(true);
    expect(await levelOf(shop)).toEqual([4, held]);
  });

  it("holds an order's pieces once, when it is repeated", async () => {
    const { shop, place } = await givenStock(5);
    const orderId = newOrder();
    await reserve(shop, orderId, pieces(place, 2));
    expect(await failureOf(reserve(shop, orderId, pieces(place, 2)))).toContain(
      "stock_reservations.order_id",
    );
    expect(await levelOf(shop)).toEqual([5, 2]);
  });

  it("is the same number of statements for one item and for a hundred", async () => {
    const { shop, place } = await givenStock(5);
    const repo = stockRepo(contextFor(shop));
    const many = Array.from({ length: 100 }, (_, n) => ({
      ...place,
      itemId: `prod_${n}`,
      quantity: 1,
    }));
    expect(repo.reserve("ord_a", many)).toHaveLength(
      repo.reserve("ord_b", pieces(place, 1)).length,
    );
    expect(repo.reserve("ord_c", [])).toEqual([]);
  });

  it("touches no other business's stock", async () => {
    const { shop, place } = await givenStock(5);
    const other = await givenStock(5, 0, await givenNeighbour(shop));
    expect(await failureOf(reserve(other.shop, newOrder(), pieces(place, 1)))).toContain(
      "stock_reservations_level",
    );
    expect(await levelOf(shop)).toEqual([5, 0]);
    const orderId = newOrder();
    await reserve(shop, orderId, pieces(place, 3));
    await release(other.shop, orderId);
    await fulfil(other.shop, orderId);
    expect(await levelOf(shop)).toEqual([5, 3]);
    await release(shop, orderId);
    expect(await levelOf(shop)).toEqual([5, 0]);
  });
});

describe("release and fulfil", () => {
  it("gives back once what an order holds, however often it runs", async () => {
    const { shop, place } = await givenStock(5);
    const [first, second] = [newOrder(), newOrder()];
    await reserve(shop, first, pieces(place, 2));
    await reserve(shop, second, pieces(place, 1));
    await Promise.all([release(shop, first), release(shop, first), release(shop, first)]);
    expect(await levelOf(shop)).toEqual([5, 1]);
    expect(await ledgerOf(shop)).toEqual([
      ["set", 5, 0],
      ["reserve", 0, 2],
      ["reserve", 0, 1],
      ["release", 0, -2],
    ]);
  });

  it("takes fulfilled pieces off once, and then there is nothing to release", async () => {
    const { shop, place } = await givenStock(5);
    const orderId = newOrder();
    await reserve(shop, orderId, pieces(place, 2));
    await fulfil(shop, orderId);
    await fulfil(shop, orderId);
    await release(shop, orderId);
    expect(await levelOf(shop)).toEqual([3, 0]);
    expect((await ledgerOf(shop)).at(-1)).toEqual(["fulfil", -2, -2]);
  });

  it("keeps a ledger that adds up to the level", async () => {
    const { shop, place } = await givenStock(20);
    const ids = Array.from({ length: 8 }, newOrder);
    await Promise.all(ids.map((id, n) => reserve(shop, id, pieces(place, 1 + (n % 2)))));
    await Promise.all(ids.map((id, n) => (n % 2 ? release(shop, id) : fulfil(shop, id))));
    await adjustStock(contextFor(shop), place, { delta: -3, reason: "broken" });
    const ledger = await ledgerOf(shop);
    const sumOf = (column: 1 | 2) => ledger.reduce((sum, row) => sum + Number(row[column]), 0);
    expect([sumOf(1), sumOf(2)]).toEqual(await levelOf(shop));
  });
});

describe("inventory.low_stock", () => {
  const told = async (shop: Shop) => (await eventsOf(shop)).length;

  it("is told once when available falls below the threshold, and again only after it rose above", async () => {
    const { shop, place } = await givenStock(5, 3);
    const [first, second, third] = [newOrder(), newOrder(), newOrder()];
    await reserve(shop, first, pieces(place, 2));
    expect(await told(shop)).toBe(0); // 3 left: at the threshold, not below it
    await reserve(shop, second, pieces(place, 1));
    expect(await told(shop)).toBe(1);
    await reserve(shop, third, pieces(place, 1));
    await fulfil(shop, third);
    expect(await told(shop)).toBe(1);
    await release(shop, second);
    expect(await told(shop)).toBe(1); // 2 left: still below
    await adjustStock(contextFor(shop), place, { delta: 5, reason: "delivery" });
    await setStockLevel(contextFor(shop), place, { quantityOnHand: 3 });
    expect(await told(shop)).toBe(2);
  });

  it("is told again when released pieces raised it and it fell again", async () => {
    const { shop, place } = await givenStock(5, 3);
    const orderId = newOrder();
    await reserve(shop, orderId, pieces(place, 3));
    await release(shop, orderId);
    await reserve(shop, newOrder(), pieces(place, 3));
    expect(await told(shop)).toBe(2);
  });

  it("is told once by many orders at once", async () => {
    const { shop, place } = await givenStock(20, 15);
    await Promise.all(
      Array.from({ length: 12 }, () => reserve(shop, newOrder(), pieces(place, 1))),
    );
    expect(await told(shop)).toBe(1);
  });

  it("says what is left of which item, where, and below what", async () => {
    const { shop, place } = await givenStock(5, 3);
    const variant = { ...place, itemId: "var_large" };
    await setStockLevel(contextFor(shop), variant, { quantityOnHand: 4 });
    const rows = await rowsOf(
      shop,
      "select type, subject_id, data from events where business_id = ?",
      shop.business.id,
    );
    expect(rows.map((row) => ({ ...row, data: JSON.parse(String(row.data)) }))).toEqual([
      {
        type: "inventory.low_stock",
        subject_id: "var_large",
        data: {
          product_id: "prod_tea",
          variant_id: "var_large",
          location_id: place.locationId,
          quantity_available: 4,
          threshold: shop.business.settings.lowStockThreshold,
        },
      },
    ]);
  });
});
