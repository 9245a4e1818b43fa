import type { BusinessSchemas } from "@duka/sdk/business";
import type { UseQueryResult } from "@tanstack/react-query";
import { useShop } from "../../api/shop.ts";
import { useAll } from "../../api/use-all.ts";
import type { Option } from "../../ui/field.tsx";

export type Category = BusinessSchemas["CategoryRecord"];

/** A category with its place in the tree. */
export type CategoryNode = Readonly<{
  category: Category;
  depth: number;
  /** The names from the root to the category. */
  path: string;
  /** The ids of the categories above it. */
  ancestors: readonly string[];
}>;

/** All categories of the shop in the order of the tree. */
export function useCategories(): UseQueryResult<readonly CategoryNode[]> {
  const { api } = useShop();
  return useAll({
    key: ["categories"],
    list: () => api.categories.list({ limit: 100 }),
    select: toTree,
  });
}

function toTree(categories: readonly Category[]): readonly CategoryNode[] {
  const ids = new Set(categories.map(({ id }) => id));
  const byParent = Map.groupBy(categories, ({ parent_id: parent }) =>
    parent !== null && ids.has(parent) ? parent : null,
  );
  const below = (parent: CategoryNode | null): readonly CategoryNode[] =>
    (byParent.get(parent?.category.id ?? null) ?? []).flatMap((category) => {
      const node: CategoryNode = {
        category,
        depth: parent ? parent.depth + 1 : 0,
        path: parent ? `${parent.path} / ${category.name}` : category.name,
        ancestors: parent ? [...parent.ancestors, parent.category.id] : [],
      };
      return [node, ...below(node)];
    });
  return below(null);
}

/** The categories as options of a select, indented as in the tree. */
export const categoryOptions = (nodes: readonly CategoryNode[]): readonly Option[] =>
  nodes.map(({ category, depth }) => ({
    value: category.id,
    name: "\u2003".repeat(depth) + category.name,
  }));
