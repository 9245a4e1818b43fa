import { expect, it, vi } from "vitest";
import { givenProduct } from "../support/catalogue.ts";
import { dataOf, givenSale } from "../support/orders.ts";
import { givenBusiness, merchant } from "../support/world.ts";

it("from and to of a list are days of the business's time zone, counted whole, or instants", async () => {
  vi.setSystemTime("2030-03-01T12:00:00Z");
  const shop = await givenBusiness({ timezone: "Africa/Lagos" });
  const product = await givenProduct(shop);
  const soldAt = async (when: string) => {
    vi.setSystemTime(when);
    return (await givenSale(shop, product.id, { how: "cash" })).id;
  };
  await soldAt("2030-03-08T22:59:59.999Z");
  const first = await soldAt("2030-03-08T23:00:00Z"); // the 9th begins in Lagos
  const last = await soldAt("2030-03-09T22:59:59.999Z");
  await soldAt("2030-03-09T23:00:00Z");
  const ask = merchant(shop);
  const listed = async (query: string) =>
    dataOf(await ask("GET", `/orders?${query}`)).items.map(({ id }: { id: string }) => id);
  const instants = "from=2030-03-08T23:00Z&to=2030-03-09T23:59:59.999%2B0100";
  expect(await listed("from=2030-03-09&to=2030-03-09")).toEqual([last, first]);
  expect(await listed(instants)).toEqual([last, first]);
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
