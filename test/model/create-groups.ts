/** Creates categories and collections, and assigns products to them. */
import { expect } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type ApiResponse, merchant } from "../support/world.ts";
import type { Product } from "./shop-model.ts";

/** A collection of picked products, or of those with the tag. */
export type Collection = Readonly<{ id: string; picks: readonly string[] | null; tag: string }>;

export type ProductGroups = Readonly<{
  categories: readonly string[];
  collections: readonly Collection[];
}>;

/** The tags of products and of collections by rule. */
const tags = ["sale", "new"] as const;

/** Creates two categories and three collections: one of picked products, and one for each tag. */
export async function createGroups(
  business: CreatedBusiness,
  products: readonly Product[],
): Promise<ProductGroups & { products: readonly Product[] }> {
  const createRecord = async (path: string, body: object) => {
    const answer: ApiResponse = await merchant(business)("POST", path, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return String(Object(answer.body).data.id);
  };
  const categories = [
    await createRecord("/categories", { name: "Drinks" }),
    await createRecord("/categories", { name: "Food" }),
  ];
  const tagged = products.map((product, position) => ({
    ...product,
    categoryId: categories[position % 3] ?? null,
    tags: tags.filter((_, place) => (position + place) % 4 === 0),
  }));
  for (const { id, categoryId, tags } of tagged) {
    const body = { category_id: categoryId, tags };
    expect(await merchant(business)("PATCH", `/products/${id}`, { body })).toMatchObject({
      status: 200,
    });
  }
  const picks = [products[1], products[3], products[6]].flatMap((product) => product?.id ?? []);
  const collections: Collection[] = [
    {
      id: await createRecord("/collections", { name: "Picked", product_ids: picks }),
      picks,
      tag: "",
    },
  ];
  for (const tag of tags) {
    const id = await createRecord("/collections", { name: `All ${tag}`, rule: { tags: [tag] } });
    collections.push({ id, picks: null, tag });
  }
  const groups = { categories, collections };
  return { ...groups, products: tagged.map((product) => withCollections(product, collections)) };
}

/** Sets the collections that the product is in. */
export function withCollections(product: Product, collections: readonly Collection[]): Product {
  const collectionIds = collections
    .filter(({ picks, tag }) => picks?.includes(product.id) ?? product.tags.includes(tag))
    .map(({ id }) => id);
  const isSame = JSON.stringify(collectionIds) === JSON.stringify(product.collectionIds);
  return isSame ? product : { ...product, collectionIds };
}
