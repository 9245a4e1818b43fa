/** Where products belong: categories, and collections by name or by rule (business-surface.md, Catalogue). */
import { expect } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type Answer, merchant } from "../support/world.ts";
import type { Product } from "./shop-model.ts";

/** It holds the products that are picked, or those with the tag. */
export type Collection = Readonly<{ id: string; picks: readonly string[] | null; tag: string }>;

export type Groups = Readonly<{
  categories: readonly string[];
  collections: readonly Collection[];
}>;

/** What products are tagged with, and what a collection may ask for. */
const tags = ["sale", "new"] as const;

/** Two categories, and three collections: one by name, and one for each tag. */
export async function givenGroups(
  business: CreatedBusiness,
  products: readonly Product[],
): Promise<Groups & { products: readonly Product[] }> {
  const made = async (path: string, body: object) => {
    const answer: Answer = await merchant(business)("POST", path, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return String(Object(answer.body).data.id);
  };
  const categories = [
    await made("/categories", { name: "Drinks" }),
    await made("/categories", { name: "Food" }),
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
    { id: await made("/collections", { name: "Picked", product_ids: picks }), picks, tag: "" },
  ];
  for (const tag of tags) {
    const id = await made("/collections", { name: `All ${tag}`, rule: { tags: [tag] } });
    collections.push({ id, picks: null, tag });
  }
  const groups = { categories, collections };
  return { ...groups, products: tagged.map((product) => collected(product, collections)) };
}

/** The product with the collections that it is in. */
export function collected(product: Product, collections: readonly Collection[]): Product {
  const collectionIds = collections
    .filter(({ picks, tag }) => picks?.includes(product.id) ?? product.tags.includes(tag))
    .map(({ id }) => id);
  const isSame = JSON.stringify(collectionIds) === JSON.stringify(product.collectionIds);
  return isSame ? product : { ...product, collectionIds };
}
