import { invalid, type NewId, type Patch } from "../../kernel/index.ts";
import type { CompositeComponent, CompositeGroup } from "../product.ts";
import { matchEntries } from "../products/match-entries.ts";
import type { ArchivedLocations, NewProduct } from "../products/product-draft.ts";
import { type ComponentProduct, requireComponentProduct } from "./component-products.ts";

/** Bounds that keep a cart line with a composite small enough to store. */
export const compositeLimits = {
  /** Of a group, and so the largest quantity of one selected component. */
  groupQuantity: 10_000,
  /** Different components that a shopper may select. */
  selections: 200,
} as const;

export type CompositeComponentDraft = Omit<CompositeComponent, "componentId"> &
  Readonly<{ id?: string | undefined }>;

export type CompositeGroupDraft = Omit<CompositeGroup, "id" | "components"> &
  Readonly<{ id?: string | undefined; components: readonly CompositeComponentDraft[] }>;

/** A composite as a merchant writes it; without a default price it shows its base price. */
export type NewComposite = Omit<NewProduct, "productType" | "defaultPriceMinor"> &
  Readonly<{
    defaultPriceMinor: number | null;
    basePriceMinor: number;
    groups: readonly CompositeGroupDraft[];
  }>;

export type CompositePatch = Patch<NewComposite> & ArchivedLocations;

type GroupContext = Readonly<{
  /** The component products that exist. */
  products: readonly ComponentProduct[];
  newId: NewId;
}>;

const nameKeys = [({ name }: { name: string }) => name];

/**
 * A composite's groups from a merchant's input; groups and components that continue a previous one
 * keep its id.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function buildCompositeGroups(
  drafts: readonly CompositeGroupDraft[],
  previous: readonly CompositeGroup[],
  context: GroupContext,
): CompositeGroup[] {
  const matches = matchEntries(drafts, previous, { keys: nameKeys, field: "groups" });
  return drafts.map((draft, index) => {
    if (draft.maxSelections < draft.minSelections) {
      throw invalid(`groups.${index}.max_selections`, "must not be below min_selections");
    }
    const field = `groups.${index}.components`;
    return {
      ...draft,
      id: matches[index]?.id ?? context.newId("grp"),
      components: buildComponents(draft.components, matches[index]?.components ?? [], {
        ...context,
        field,
      }),
    };
  });
}

function buildComponents(
  drafts: readonly CompositeComponentDraft[],
  previous: readonly CompositeComponent[],
  { products, newId, field }: GroupContext & { field: string },
): CompositeComponent[] {
  const previousEntries = previous.map((component) => ({
    ...component,
    id: component.componentId,
  }));
  const matches = matchEntries(drafts, previousEntries, {
    keys: nameKeys,
    field,
    idName: "component_id",
  });
  return drafts.map(({ id: _, ...draft }, index) => {
    if (draft.priceMinor < 0) throw invalid(`${field}.${index}.price`, "must not be negative");
    const match = matches[index];
    // A product that the component already had may have been archived since.
    if (draft.productId !== null && draft.productId !== match?.productId) {
      requireComponentProduct(products, draft.productId, `${field}.${index}.product_id`);
    }
    return { ...draft, componentId: match?.id ?? newId("opt") };
  });
}

/** @throws Refusal VALIDATION_ERROR for a negative price. */
export function requireBasePrice(basePriceMinor: number): number {
  if (basePriceMinor < 0) throw invalid("base_price", "must not be negative");
  return basePriceMinor;
}
