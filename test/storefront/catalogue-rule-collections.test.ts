import { expect, it } from "vitest";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, merchant, shopper } from "../support/world.ts";
import {
  createProductRow,
  type ProductListPage,
  requireData,
  updateProductRow,
} from "./create-catalogue-rows.ts";

type CollectionData = Readonly<{ id: string; product_count: number }>;

it("counts the products of a rule with several tags after every change", async () => {
  const shop = await createBusiness();
  const ask = merchant(shop);
  const tea = await createProductRow(shop, { name: "Tea", tags: ["hot", "local", "green"] });
  await createProductRow(shop, { name: "Soup", tags: ["hot", "local"] });
  await createProductRow(shop, { name: "Ice", tags: ["local"] });
  await createProductRow(await createBusiness(), { name: "Another's", tags: ["hot", "local"] });
  const made = await ask("POST", "/collections", {
    body: { name: "Local heat", rule: { tags: ["hot", "local"] } },
  });
  const { id } = (made.body as { data: CollectionData }).data;

  let requests = 0;
  // An unknown query parameter avoids the cached response.
  const expectMembers = async (...names: string[]) => {
    requests += 1;
    const page = requireData<ProductListPage & { pagination: { total: number } }>(
      await shopper(shop)("GET", `/catalogue/collections/${id}/products?unseen=${requests}`),
    );
    expect(page.items.map((item) => item.name)).toEqual(names);
    expect(page.pagination).toMatchObject({ total: names.length, has_more: false });
    const collection = requireData<CollectionData>(
      await shopper(shop)("GET", `/catalogue/collections/${id}?unseen=${requests}`),
    );
    expect(collection.product_count).toBe(names.length);
  };
  const update = async (body: object) =>
    expect((await ask("PATCH", `/collections/${id}`, { body })).status).toBe(200);

  await expectMembers("Soup", "Tea");
  const late = await createProductRow(shop, { name: "Stew", tags: ["local", "hot"] });
  await expectMembers("Stew", "Soup", "Tea");
  await updateProductRow(shop, late.id, { tags: ["hot"] });
  await updateProductRow(shop, tea.id, { isActive: false });
  await expectMembers("Soup");
  await updateProductRow(shop, tea.id, { isActive: true });
  await update({ rule: { tags: ["green", "hot"] } });
  await expectMembers("Tea");
  await update({ rule: { tags: ["hot"] } });
  await expectMembers("Stew", "Soup", "Tea");
  await update({ rule: { tags: ["hot", "cold"] } });
  await expectMembers();
  await update({ rule: { tags: ["local", "hot"] } });
  await expectMembers("Soup", "Tea");

  const selectStoredCount = () =>
    selectRows(
      shop,
      "select products from product_facet_counts where business_id = ? and facet = 'collection ' || ?",
      ...[shop.business.id, id],
    );
  expect(await selectStoredCount()).toEqual([{ products: 2 }]);
  expect((await ask("DELETE", `/collections/${id}`)).status).toBe(200);
  expect(await selectStoredCount()).toEqual([]);
});
