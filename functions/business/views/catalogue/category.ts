import { z } from "@hono/zod-openapi";
import type { ListedCategory } from "../../../../shared/catalogue/index.ts";
import { CategoryView, viewCategory } from "../../../wire/views/catalogue/category.ts";

/** A category as its merchant sees it: the public record, and the rest. */
export const CategoryRecordView = CategoryView.extend({
  description: z.string(),
  metadata: z.record(z.string(), z.unknown()),
}).openapi("CategoryRecord");
export type CategoryRecordView = z.infer<typeof CategoryRecordView>;

export const viewCategoryRecord = (category: ListedCategory): CategoryRecordView => ({
  ...viewCategory(category),
  description: category.description,
  metadata: category.metadata,
});
