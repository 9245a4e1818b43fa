import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createCollection } from "../../shared/catalogue/index.ts";
import { givenCategory } from "../storefront/catalogue-stock.ts";
import { contextFor } from "../support/world.ts";

/** A category and the one that it stands below, and two collections, by their ids. */
export type Groups = Readonly<{ above: string; own: string; list: string; other: string }>;

export async function givenGroups(shop: CreatedBusiness): Promise<Groups> {
  const above = await givenCategory(shop, { slug: "above" });
  const own = await givenCategory(shop, { slug: "own", parentId: above });
  const [list, other] = [await givenCollection(shop, "list"), await givenCollection(shop, "other")];
  return { above, own, list, other };
}

async function givenCollection(shop: CreatedBusiness, name: string): Promise<string> {
  const { collection } = await createCollection(contextFor(shop), {
    ...{ name, slug: null, description: "", imageUrl: null, sortOrder: 0, metadata: {} },
    members: { productIds: [], rule: null },
  });
  return collection.id;
}
