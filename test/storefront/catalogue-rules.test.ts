import { expect, it } from "vitest";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, merchant, shopper } from "../support/world.ts";
import { changeProduct, dataOf, givenProduct, type Page } from "./catalogue-stock.ts";

type Shown = Readonly<{ id: string; product_count: number }>;

it("a rule of several tags is counted as it is kept, whatever changes", async () => {
  const shop = await givenBusiness();
  const ask = merchant(shop);
  const tea = await givenProduct(shop, { name: "Tea", tags: ["hot", "local", "green"] });
  await givenProduct(shop, { name: "Soup", tags: ["hot", "local"] });
  await givenProduct(shop, { name: "Ice", tags: ["local"] });
  await givenProduct(await givenBusiness(), { name: "Another's", tags: ["hot", "local"] });
  const made = await ask("POST", "/collections", {
    body: { name: "Local heat", rule: { tags: ["hot", "local"] } },
  });
  const { id } = (made.body as { data: Shown }).data;

  let asked = 0;
  // Answers are remembered by their whole query: a further part of it asks anew.
  const expectMembers = async (...names: string[]) => {
    asked += 1;
    const page = dataOf<Page & { pagination: { total: number } }>(
      await shopper(shop)("GET", `/catalogue/collections/${id}/products?unseen=${asked}`),
    );
    expect(page.items.map((item) => item.name)).toEqual(names);
    expect(page.pagination).toMatchObject({ total: names.length, has_more: false });
    const shown = dataOf<Shown>(
      await shopper(shop)("GET", `/catalogue/collections/${id}?unseen=${asked}`),
    );
    expect(shown.product_count).toBe(names.length);
  };
  const change = async (body: object) =>
    expect((await ask("PATCH", `/collections/${id}`, { body })).status).toBe(200);

  await expectMembers("Soup", "Tea");
  const late = await givenProduct(shop, { name: "Stew", tags: ["local", "hot"] });
  await expectMembers("Stew", "Soup", "Tea");
  await changeProduct(shop, late.id, { tags: ["hot"] });
  await changeProduct(shop, tea.id, { isActive: false });
  await expectMembers("Soup");
  await changeProduct(shop, tea.id, { isActive: true });
  await change({ rule: { tags: ["green", "hot"] } });
  await expectMembers("Tea");
  await change({ rule: { tags: ["hot"] } });
  await expectMembers("Stew", "Soup", "Tea");
  await change({ rule: { tags: ["hot", "cold"] } });
  await expectMembers();
  await change({ rule: { tags: ["local", "hot"] } });
  await expectMembers("Soup", "Tea");

  const kept = () =>
    rowsOf(
      shop,
      "select products from product_facet_counts where business_id = ? and facet = 'collection ' || ?",
      ...[shop.business.id, id],
    );
  expect(await kept()).toEqual([{ products: 2 }]);
  expect((await ask("DELETE", `/collections/${id}`)).status).toBe(200);
  expect(await kept()).toEqual([]);
});
