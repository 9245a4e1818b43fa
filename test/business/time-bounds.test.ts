import { expect, it, vi } from "vitest";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";

it("accepts from and to of a list as whole days in the business's timezone or as instants", async () => {
  vi.setSystemTime("2030-03-01T12:00:00Z");
  const shop = await createBusiness({ timezone: "Africa/Lagos" });
  const product = await createProduct(shop);
  const createOrderAt = async (when: string) => {
    vi.setSystemTime(when);
    return (await createOrder(shop, product.id, { payWith: "cash" })).id;
  };
  await createOrderAt("2030-03-08T22:59:59.999Z");
  const first = await createOrderAt("2030-03-08T23:00:00Z"); // the 9th begins in Lagos
  const last = await createOrderAt("2030-03-09T22:59:59.999Z");
  await createOrderAt("2030-03-09T23:00:00Z");
  const ask = merchant(shop);
  const listOrderIds = async (query: string) =>
    dataOf(await ask("GET", `/orders?${query}`)).items.map(({ id }: { id: string }) => id);
  const instants = "from=2030-03-08T23:00Z&to=2030-03-09T23:59:59.999%2B0100";
  expect(await listOrderIds("from=2030-03-09&to=2030-03-09")).toEqual([last, first]);
  expect(await listOrderIds(instants)).toEqual([last, first]);
  for (const list of ["orders", "bookings", "audit"]) {
    expect(await ask("GET", `/${list}?from=2030-03-09&to=2030-03-09`)).toMatchObject({
      status: 200,
      body: { data: { pagination: { has_more: false } } },
    });
    expect(await ask("GET", `/${list}?from=2030-02-30`)).toMatchObject({
      status: 400,
      body: { error: { context: { field: "from" } } },
    });
  }
});
