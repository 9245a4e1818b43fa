import { z } from "@hono/zod-openapi";
import type { ListedCategory } from "../../../../shared/catalogue/index.ts";
import { CategoryView, viewCategory } from "../../../wire/views/catalogue/category.ts";

export const CategoryDetail = CategoryView.extend({ description: z.string() }).openapi(
  "CategoryDetail",
);
export type CategoryDetail = z.infer<typeof CategoryDetail>;

export const viewCategoryDetail = (category: ListedCategory): CategoryDetail => ({
  ...viewCategory(category),
  description: category.description,
});
