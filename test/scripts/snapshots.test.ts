import { expect, it } from "vitest";
import { tablesApart } from "../../scripts/check/snapshots.ts";

it("names the tables that were added, dropped or changed", () => {
  const before = { tables: { orders: { n: "integer" }, carts: {}, products: {} } };
  const after = { tables: { orders: { n: "text" }, products: {}, events: {} } };
  expect(tablesApart(before, after)).toEqual(["carts", "events", "orders"]);
});

it("takes no snapshot for no tables", () => {
  expect(tablesApart({}, { tables: { orders: {} } })).toEqual(["orders"]);
});
