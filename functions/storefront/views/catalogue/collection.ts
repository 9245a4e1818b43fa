import { z } from "@hono/zod-openapi";
import type { storefrontCatalogue } from "../../../../shared/catalogue/index.ts";
import { imageUrlAt, type PublicAddress } from "../../../wire/fields.ts";

export const CollectionView = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    image_url: z.string().nullable(),
    product_count: z.number().int(),
  })
  .openapi("Collection");
export type CollectionView = z.infer<typeof CollectionView>;

export const CollectionDetailView = CollectionView.extend({
  description: z.string(),
  metadata: z.record(z.string(), z.unknown()),
}).openapi("CollectionDetail");
export type CollectionDetailView = z.infer<typeof CollectionDetailView>;

export const viewCollection = (
  collection: storefrontCatalogue.ListedCollection,
  address: PublicAddress,
): CollectionView => ({
  id: collection.id,
  name: collection.name,
  slug: collection.slug,
  image_url: imageUrlAt(address, collection.imageUrl),
  product_count: collection.productCount,
});

export const viewCollectionDetail = (
  collection: storefrontCatalogue.ListedCollection,
  address: PublicAddress,
): CollectionDetailView => ({
  ...viewCollection(collection, address),
  description: collection.description,
  metadata: collection.metadata,
});
