import { invalid, type NewId, omitUndefined, type Patch } from "../../kernel/index.ts";
import { freeSlug, slugFrom } from "../products/slug.ts";
import type { Collection, CollectionMembers } from "./collection.ts";

/** A collection as a merchant writes it; a slug left out is made from the name. */
export type NewCollection = Omit<Collection, "id" | "slug"> & Readonly<{ slug: string | null }>;

export type CollectionPatch = Patch<NewCollection>;

/** As it was sent, or made of the name; another collection may have it. */
export const wantedCollectionSlug = ({
  slug,
  name,
}: Pick<NewCollection, "slug" | "name">): string => slug ?? slugFrom(name, "collection");

/**
 * A slug that was made of the name is one that is free; a sent one stays, for the database to
 * refuse.
 */
export const collectionFrom = (
  input: NewCollection,
  { newId, takenSlugs }: { newId: NewId; takenSlugs: readonly string[] },
): Collection => {
  const id = newId("col");
  return {
    ...input,
    id,
    slug: input.slug ?? freeSlug(wantedCollectionSlug(input), takenSlugs, id),
  };
};

export const patchedCollection = (
  collection: Collection,
  { slug, ...patch }: CollectionPatch,
): Collection => ({ ...collection, ...omitUndefined(patch), slug: slug ?? collection.slug });

/** @throws Refusal VALIDATION_ERROR naming the first product that is not there. */
export function demandProducts(
  { productIds }: CollectionMembers,
  missing: readonly string[],
): void {
  const index = (productIds ?? []).findIndex((id) => missing.includes(id));
  if (index >= 0) throw invalid(`product_ids.${index}`, "no such product");
}
