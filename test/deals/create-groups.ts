import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { merchantCatalogue } from "../../shared/catalogue/index.ts";
import { createCategoryRow } from "../storefront/create-catalogue-rows.ts";
import { contextFor } from "../support/world.ts";

/** The ids of a category, its parent and two collections. */
export type DealGroups = Readonly<{
  parentCategory: string;
  category: string;
  collection: string;
  otherCollection: string;
}>;

export async function createDealGroups(shop: CreatedBusiness): Promise<DealGroups> {
  const above = await createCategoryRow(shop, { slug: "above" });
  const own = await createCategoryRow(shop, { slug: "own", parentId: above });
  const [list, other] = [
    await createEmptyCollection(shop, "list"),
    await createEmptyCollection(shop, "other"),
  ];
  return { parentCategory: above, category: own, collection: list, otherCollection: other };
}

async function createEmptyCollection(shop: CreatedBusiness, name: string): Promise<string> {
  const { collection } = await merchantCatalogue.createCollection(contextFor(shop), {
    ...{ name, slug: null, description: "", imageUrl: null, sortOrder: 0, metadata: {} },
    members: { productIds: [], rule: null },
  });
  return collection.id;
}
