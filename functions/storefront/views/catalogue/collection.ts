import { z } from "@hono/zod-openapi";
import type { ListedCollection } from "../../../../shared/catalogue/index.ts";

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

export const CollectionDetail = CollectionView.extend({
  description: z.string(),
  metadata: z.record(z.string(), z.unknown()),
}).openapi("CollectionDetail");
export type CollectionDetail = z.infer<typeof CollectionDetail>;

export const viewCollection = (collection: ListedCollection): CollectionView => ({
  id: collection.id,
  name: collection.name,
  slug: collection.slug,
  image_url: collection.imageUrl,
  product_count: collection.productCount,
});

export const viewCollectionDetail = (collection: ListedCollection): CollectionDetail => ({
  ...viewCollection(collection),
  description: collection.description,
  metadata: collection.metadata,
});
