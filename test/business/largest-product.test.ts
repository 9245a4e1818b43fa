import { expect, it } from "vitest";
import { completeMove } from "../moves/create-move.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";

/** Add-ons of about 800,000 bytes as they are stored. */
const largestAddOns = Array.from({ length: 40 }, (_, group) => ({
  name: `Group ${group}`,
  options: Array.from({ length: 100 }, (_, option) => ({
    name: `${option}`.padEnd(120, "x"),
    price: "1.00",
  })),
}));

it("stores, audits and moves a product up to the maximum size, and refuses a larger one", async () => {
  const shop = await createBusiness();
  const ask = merchant(shop);
  const body = { name: "Tea", default_price: "10.00", add_ons: largestAddOns };
  const { id } = dataOf(await ask("POST", "/products", { body }));

  expect((await ask("PATCH", `/products/${id}`, { body: { name: "Cocoa" } })).status).toBe(200);
  const axes = Array.from({ length: 10 }, (_, axis) => ({
    name: `axis ${axis}`,
    label: "Axis",
    values: Array.from({ length: 200 }, (_, value) => `${value}`.padEnd(100, "x")),
  }));
  expect(await ask("PATCH", `/products/${id}`, { body: { variant_axes: axes } })).toMatchObject({
    status: 400,
    body: { error: { context: { field: "add_ons" } } },
  });
  expect(dataOf(await ask("GET", `/products/${id}`)).name).toBe("Cocoa");
  expect(await completeMove(shop)).toMatchObject({ phase: "done" });
});
