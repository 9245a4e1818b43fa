import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  availableQuantity,
  planReservation,
  type StockLevel,
} from "../../shared/inventory/index.ts";

const level = (
  itemId: string,
  locationId: string,
  quantityOnHand: number,
  quantityReserved = 0,
): StockLevel => ({
  itemId,
  productId: itemId,
  locationId,
  quantityOnHand,
  quantityReserved,
  lowStockThreshold: null,
  updatedAt: 0,
});

describe("planReservation", () => {
  it("takes from the preferred location first, then from the one with the most stock", () => {
    const levels = [level("tea", "far", 9), level("tea", "near", 2), level("tea", "home", 3)];
    expect(planReservation(levels, new Map([["tea", 7]]), "home")).toEqual({
      type: "planned",
      reservations: [
        { itemId: "tea", locationId: "home", quantity: 3 },
        { itemId: "tea", locationId: "far", quantity: 4 },
      ],
    });
  });

  it("is short when the preferred location lacks its part of the quantity", () => {
    const levels = [level("tea", "home", 2), level("tea", "far", 9)];
    const plan = (preferredOnly: number) =>
      planReservation(levels, new Map([["tea", 5]]), "home", new Map([["tea", preferredOnly]]));
    expect(plan(3)).toEqual({ type: "short", itemId: "tea", quantityAvailable: 2 });
    expect(plan(2)).toEqual({
      type: "planned",
      reservations: [
        { itemId: "tea", locationId: "home", quantity: 2 },
        { itemId: "tea", locationId: "far", quantity: 3 },
      ],
    });
  });

  it("does not count reserved units", () => {
    const levels = [level("tea", "home", 5, 4), level("tea", "far", 1)];
    expect(planReservation(levels, new Map([["tea", 3]]), "home")).toEqual({
      type: "short",
      itemId: "tea",
      quantityAvailable: 2,
    });
  });

  it("reports the short item; an item without levels has 0", () => {
    const required = new Map([
      ["tea", 1],
      ["cup", 1],
    ]);
    expect(planReservation([level("tea", "home", 1)], required, null)).toEqual({
      type: "short",
      itemId: "cup",
      quantityAvailable: 0,
    });
  });

  it("allocates the exact quantity within each level's stock", () => {
    const levels = fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.nat(4), fc.nat(9), fc.nat(9)), {
      maxLength: 10,
    });
    const distinct = (rows: [string, number, number, number][]) => [
      ...new Map(
        rows.map(([item, location, more, reserved]) => [
          `${item}${location}`,
          level(item, `${location}`, more + reserved, reserved),
        ]),
      ).values(),
    ];
    fc.assert(
      fc.property(levels.map(distinct), fc.integer({ min: 1, max: 30 }), (stock, quantity) => {
        const plan = planReservation(stock, new Map([["a", quantity]]), "0");
        const available = stock
          .filter(({ itemId }) => itemId === "a")
          .reduce((sum, one) => sum + availableQuantity(one), 0);
        if (plan.type === "short")
          return plan.quantityAvailable === available && available < quantity;
        const taken = plan.reservations.reduce((sum, one) => sum + one.quantity, 0);
        return (
          taken === quantity &&
          plan.reservations.every((one) => {
            const at = stock.find(
              ({ itemId, locationId }) => itemId === one.itemId && locationId === one.locationId,
            );
            return at !== undefined && one.quantity > 0 && one.quantity <= availableQuantity(at);
          })
        );
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
