import { expect, it } from "vitest";
import {
  planReservation,
  reserveStockAnywhere,
  type StockLevel,
} from "../../shared/inventory/index.ts";
import { stockAllocationQuery } from "../../shared/inventory/reservation-repo.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness } from "../support/world.ts";

type Case = Readonly<{ itemId: string; quantity: number; preferredOnlyQuantity: number }>;

/** A seeded generator of integers. */
function seededRandomInt(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const locations = ["loc_home", "loc_a", "loc_b", "loc_c"];

function createCases(count: number) {
  const randomInt = seededRandomInt(7);
  const levels: Pick<
    StockLevel,
    "itemId" | "locationId" | "quantityOnHand" | "quantityReserved"
  >[] = [];
  const cases = Array.from({ length: count }, (_, index): Case => {
    const itemId = `prod_${index}`;
    for (const locationId of [...locations, "loc_archived"]) {
      if (randomInt(3) === 0) continue;
      const quantityOnHand = randomInt(6);
      levels.push({
        itemId,
        locationId,
        quantityOnHand,
        quantityReserved: randomInt(quantityOnHand + 1),
      });
    }
    const quantity = 1 + randomInt(9);
    return {
      itemId,
      quantity,
      preferredOnlyQuantity: randomInt(3) === 0 ? randomInt(quantity + 1) : 0,
    };
  });
  return { cases, levels };
}

it("allocates the same locations as planReservation", async () => {
  const shop = await createBusiness();
  const { cases, levels } = createCases(400);
  await selectRows(
    shop,
    `insert into stock_levels (business_id, item_id, location_id, product_id, quantity_on_hand, quantity_reserved, updated_at)
     select ?1, value ->> 'itemId', value ->> 'locationId', value ->> 'itemId',
       value ->> 'quantityOnHand', value ->> 'quantityReserved', 0 from json_each(?2)`,
    shop.business.id,
    JSON.stringify(levels),
  );
  const allocations = await contextFor(shop).db.all<{
    item_id: string;
    location_id: string | null;
    quantity: number | null;
  }>(
    stockAllocationQuery(cases, {
      businessId: shop.business.id,
      locationIds: locations,
      preferredLocationId: "loc_home",
    }),
  );
  const activeLevels = levels
    .filter(({ locationId }) => locations.includes(locationId))
    .map((level) => ({ ...level, productId: level.itemId, lowStockThreshold: null, updatedAt: 0 }));
  const outcomes = cases.map(({ itemId, quantity, preferredOnlyQuantity }) => {
    const plan = planReservation(
      activeLevels,
      new Map([[itemId, quantity]]),
      "loc_home",
      new Map([[itemId, preferredOnlyQuantity]]),
    );
    const rows = allocations.filter(({ item_id }) => item_id === itemId);
    const isRefused = rows.some((row) => row.location_id === null || row.quantity === null);
    if (plan.type === "short") expect(isRefused, itemId).toBe(true);
    else {
      const expected = plan.reservations.map(({ locationId, quantity: allocated }) => ({
        item_id: itemId,
        location_id: locationId,
        quantity: allocated,
      }));
      const byLocation = (a: { location_id: string | null }, b: { location_id: string | null }) =>
        String(a.location_id) < String(b.location_id) ? -1 : 1;
      expect(rows.toSorted(byLocation)).toEqual(expected.toSorted(byLocation));
    }
    return plan.type;
  });
  expect(outcomes.filter((type) => type === "short").length).toBeGreaterThan(50);
  expect(outcomes.filter((type) => type === "planned").length).toBeGreaterThan(50);
});

it("fails for an item without stock levels", async () => {
  const shop = await createBusiness();
  const ctx = contextFor(shop);
  const [home] = shop.business.locations;
  const requirements = [{ itemId: "prod_none", quantity: 1, preferredOnlyQuantity: 0 }];
  const [insert] = reserveStockAnywhere(ctx, "ord_1", {
    requirements: requirements,
    preferredLocationId: home?.id ?? "",
  });
  expect(insert).toBeDefined();
  await expect(insert && ctx.db.batch([insert])).rejects.toThrow();
  expect(
    await selectRows(
      shop,
      "select * from stock_reservations where business_id = ?",
      shop.business.id,
    ),
  ).toEqual([]);
});
