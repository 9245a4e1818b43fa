import { invalid, type NewId, omitUndefined, type Patch } from "../../kernel/index.ts";
import { freeSlug, slugOrDefault } from "../slug.ts";

/** The collection holds every product that has all of the tags, evaluated when it is read. */
export type CollectionRule = Readonly<{ tags: readonly string[] }>;

/** Either products in the given order, or a rule. */
export type CollectionMembers =
  | Readonly<{ productIds: readonly string[]; rule: null }>
  | Readonly<{ productIds: null; rule: CollectionRule }>;

export type Collection = Readonly<{
  id: string;
  name: string;
  slug: string;
  description: string;
  imageUrl: string | null;
  sortOrder: number;
  metadata: Readonly<Record<string, unknown>>;
  members: CollectionMembers;
}>;

/** A collection as the public sees it, with the number of its active products. */
export type ListedCollection = Omit<Collection, "members"> & Readonly<{ productCount: number }>;

/** A collection as a merchant writes it; without a slug it gets one made from its name. */
export type NewCollection = Omit<Collection, "id" | "slug"> & Readonly<{ slug: string | null }>;

export type CollectionPatch = Patch<NewCollection>;

/**
 * A slug made from the name avoids taken ones; a slug from the input is left to the unique index.
 */
export const buildCollection = (
  input: NewCollection,
  { newId, takenSlugs }: { newId: NewId; takenSlugs: readonly string[] },
): Collection => {
  const id = newId("col");
  const slug = input.slug ?? freeSlug(slugOrDefault(input, "collection"), takenSlugs, id);
  return { ...input, id, slug };
};

export const applyCollectionPatch = (
  collection: Collection,
  { slug, ...patch }: CollectionPatch,
): Collection => ({ ...collection, ...omitUndefined(patch), slug: slug ?? collection.slug });

/** @throws Refusal VALIDATION_ERROR naming the first product that does not exist. */
export function assertProductsExist(
  { productIds }: CollectionMembers,
  unknownIds: readonly string[],
): void {
  const index = (productIds ?? []).findIndex((id) => unknownIds.includes(id));
  if (index >= 0) throw invalid(`product_ids.${index}`, "no such product");
}
