import { z } from "@hono/zod-openapi";
import type { ListedCategory } from "../../../../shared/catalogue/index.ts";
import { imageUrlAt, type PublicAddress } from "../../fields.ts";

export const CategoryView = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    parent_id: z.string().nullable(),
    image_url: z.string().nullable(),
    product_count: z.number().int(),
    sort_order: z.number().int(),
  })
  .openapi("Category");
export type CategoryView = z.infer<typeof CategoryView>;

/** @param address null returns the image as its merchant wrote it. */
export const viewCategory = (
  category: ListedCategory,
  address: PublicAddress | null,
): CategoryView => ({
  id: category.id,
  name: category.name,
  slug: category.slug,
  parent_id: category.parentId,
  image_url: imageUrlAt(address, category.imageUrl),
  product_count: category.productCount,
  sort_order: category.sortOrder,
});
