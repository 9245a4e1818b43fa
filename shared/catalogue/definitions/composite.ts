import { invalid, type NewId, type Patch } from "../../kernel/index.ts";
import type { CompositeComponent, CompositeGroup } from "../product.ts";
import { matchEntries } from "../products/match-entries.ts";
import type { ArchivedLocations, NewProduct } from "../products/product-draft.ts";
import { type ComponentProduct, requireComponentProduct } from "./component-products.ts";

/** Limits on composites, so that a cart line with a composite is small enough to store. */
export const compositeLimits = {
  /** The maximum quantity of a group, which also limits each selected component. */
  groupQuantity: 10_000,
  /** The maximum number of different components that a shopper may select. */
  selections: 200,
} as const;

export type CompositeComponentDraft = Omit<CompositeComponent, "componentId"> &
  Readonly<{ id?: string | undefined }>;

export type CompositeGroupDraft = Omit<CompositeGroup, "id" | "components"> &
  Readonly<{ id?: string | undefined; components: readonly CompositeComponentDraft[] }>;

/** A new composite from the merchant. Without a default price, its base price is shown. */
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
 * A composite's groups from a merchant's input. A group or component that matches a previous entry
 * keeps the previous id.
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
    // An unchanged product is not checked again, because it may have been archived since.
    if (draft.productId !== null && draft.productId !== match?.productId) {
      requireComponentProduct(products, draft.productId, `${field}.${index}.product_id`);
    }
    return { ...draft, componentId: match?.id ?? newId("opt") };
  });
}

/**
 * Returns the base price.
 * @throws Refusal VALIDATION_ERROR for a negative price.
 */
export function requireBasePrice(basePriceMinor: number): number {
  if (basePriceMinor < 0) throw invalid("base_price", "must not be negative");
  return basePriceMinor;
}
