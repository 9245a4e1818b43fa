import { z } from "@hono/zod-openapi";
import type { merchantCatalogue } from "../../../../shared/catalogue/index.ts";

export const CollectionRecordView = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    image_url: z.string().nullable(),
    product_count: z.number().int(),
    sort_order: z.number().int(),
    description: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    product_ids: z.array(z.string()).nullable(),
    rule: z.object({ tags: z.array(z.string()) }).nullable(),
  })
  .openapi("CollectionRecord");
export type CollectionRecordView = z.infer<typeof CollectionRecordView>;

export const viewCollectionRecord = ({
  collection,
  productCount,
}: merchantCatalogue.CollectionRecord): CollectionRecordView => ({
  id: collection.id,
  name: collection.name,
  slug: collection.slug,
  image_url: collection.imageUrl,
  product_count: productCount,
  sort_order: collection.sortOrder,
  description: collection.description,
  metadata: collection.metadata,
  product_ids: collection.members.productIds && [...collection.members.productIds],
  rule: collection.members.rule && { tags: [...collection.members.rule.tags] },
});
