import { expect, it } from "vitest";
import { chosenPlaces } from "../../shared/inventory/chosen-places-repo.ts";
import { planReservation, type StockLevel, stockRepo } from "../../shared/inventory/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

type Case = Readonly<{ itemId: string; quantity: number; tied: number }>;

/** The same every time, and all over the place. */
function drawing(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const locations = ["loc_home", "loc_a", "loc_b", "loc_c"];

function drawnCases(count: number) {
  const draw = drawing(7);
  const levels: Pick<
    StockLevel,
    "itemId" | "locationId" | "quantityOnHand" | "quantityReserved"
  >[] = [];
  const cases = Array.from({ length: count }, (_, index): Case => {
    const itemId = `prod_${index}`;
    for (const locationId of [...locations, "loc_archived"]) {
      if (draw(3) === 0) continue;
      const quantityOnHand = draw(6);
      levels.push({
        itemId,
        locationId,
        quantityOnHand,
        quantityReserved: draw(quantityOnHand + 1),
      });
    }
    const quantity = 1 + draw(9);
    return { itemId, quantity, tied: draw(3) === 0 ? draw(quantity + 1) : 0 };
  });
  return { cases, levels };
}

it("the database chooses the places that planReservation plans, at the same instant as it holds them", async () => {
  const shop = await givenBusiness();
  const { cases, levels } = drawnCases(400);
  await rowsOf(
    shop,
    `insert into stock_levels (business_id, item_id, location_id, product_id, quantity_on_hand, quantity_reserved, updated_at)
     select ?1, value ->> 'itemId', value ->> 'locationId', value ->> 'itemId',
       value ->> 'quantityOnHand', value ->> 'quantityReserved', 0 from json_each(?2)`,
    shop.business.id,
    JSON.stringify(levels),
  );
  const chosen = await contextFor(shop).db.all<{
    item_id: string;
    location_id: string | null;
    quantity: number | null;
  }>(
    chosenPlaces(cases, {
      businessId: shop.business.id,
      locationIds: locations,
      preferredLocationId: "loc_home",
    }),
  );
  const standing = levels
    .filter(({ locationId }) => locations.includes(locationId))
    .map((level) => ({ ...level, productId: level.itemId, lowStockThreshold: null, updatedAt: 0 }));
  const outcomes = cases.map(({ itemId, quantity, tied }) => {
    const plan = planReservation(
      standing,
      new Map([[itemId, quantity]]),
      "loc_home",
      new Map([[itemId, tied]]),
    );
    const rows = chosen.filter(({ item_id }) => item_id === itemId);
    const isRefused = rows.some((row) => row.location_id === null || row.quantity === null);
    if (plan.type === "short") expect(isRefused, itemId).toBe(true);
    else {
      const places = plan.reservations.map(({ locationId, quantity: pieces }) => ({
        item_id: itemId,
        location_id: locationId,
        quantity: pieces,
      }));
      const byPlace = (
        one: { location_id: string | null },
        other: { location_id: string | null },
      ) => (String(one.location_id) < String(other.location_id) ? -1 : 1);
      expect(rows.toSorted(byPlace)).toEqual(places.toSorted(byPlace));
    }
    return plan.type;
  });
  expect(outcomes.filter((type) => type === "short").length).toBeGreaterThan(50);
  expect(outcomes.filter((type) => type === "planned").length).toBeGreaterThan(50);
});

it("pieces of an item that was never counted, or of none at a standing location, cannot be held", async () => {
  const shop = await givenBusiness();
  const ctx = contextFor(shop);
  const [home] = shop.business.locations;
  const wanted = [{ itemId: "prod_none", quantity: 1, tied: 0 }];
  const [insert] = stockRepo(ctx).reserveWherever("ord_1", wanted, home?.id ?? "");
  expect(insert).toBeDefined();
  await expect(insert && ctx.db.batch([insert])).rejects.toThrow();
  expect(
    await rowsOf(shop, "select * from stock_reservations where business_id = ?", shop.business.id),
  ).toEqual([]);
});
