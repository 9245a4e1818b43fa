import { invalid } from "../kernel/index.ts";

export const dealScopes = ["order", "product", "category", "collection"] as const;
export type DealScope = (typeof dealScopes)[number];

/**
 * What a deal applies to. The ids are those of products, categories or collections, according to
 * the scope. The scope `order` has none.
 */
export type AppliesTo = Readonly<{ scope: DealScope; ids: readonly string[] }>;

export const wholeOrder: AppliesTo = { scope: "order", ids: [] };

/** @throws Refusal VALIDATION_ERROR naming the ids, which only the scope `order` has none of. */
export function assertScope(field: string, { scope, ids }: AppliesTo): void {
  if ((scope === "order") === (ids.length === 0)) return;
  throw invalid(`${field}.ids`, "is required, except for the scope order, which takes no ids.");
}
