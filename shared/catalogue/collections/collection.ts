import {
  freeSlug,
  invalid,
  type NewId,
  omitUndefined,
  type Patch,
  slugOrDefault,
} from "../../kernel/index.ts";

/** A rule that selects every product that has all of the tags. It is evaluated at every read. */
export type CollectionRule = Readonly<{ tags: readonly string[] }>;

/** The products of a collection: either a list in the given order, or a rule. */
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

/** A collection as shoppers see it, with the number of its active products. */
export type ListedCollection = Omit<Collection, "members"> & Readonly<{ productCount: number }>;

/** A new collection from the merchant. Without a slug, the slug is made from the name. */
export type NewCollection = Omit<Collection, "id" | "slug"> & Readonly<{ slug: string | null }>;

export type CollectionPatch = Patch<NewCollection>;

/**
 * Builds a collection. A slug made from the name avoids taken slugs. For a slug from the input, the
 * unique index decides.
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

/**
 * Checks that all products of a list exist.
 * @throws Refusal VALIDATION_ERROR naming the first product that does not exist.
 */
export function assertProductsExist(
  { productIds }: CollectionMembers,
  unknownIds: readonly string[],
): void {
  const index = (productIds ?? []).findIndex((id) => unknownIds.includes(id));
  if (index >= 0) throw invalid(`product_ids.${index}`, "no such product");
}
