import { invalid, type NewId, type Patch } from "../../kernel/index.ts";
import type { CompositeComponent, CompositeGroup } from "../product.ts";
import { paired } from "../products/keep-ids.ts";
import type { NamedPlaces, NewProduct } from "../products/product-draft.ts";
import { type ComponentParts, demandPart } from "./component-parts.ts";

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

export type CompositePatch = Patch<NewComposite> & NamedPlaces;

type Making = Readonly<{ parts: ComponentParts; newId: NewId }>;

const keys = [({ name }: { name: string }) => name];

/** A composite's groups from what was written; groups and components that stay keep their ids. */
export function compositeGroupsFrom(
  drafts: readonly CompositeGroupDraft[],
  previous: readonly CompositeGroup[],
  making: Making,
): CompositeGroup[] {
  const pairs = paired(drafts, previous, { keys, field: "groups" });
  return drafts.map((draft, index) => {
    if (draft.maxSelections < draft.minSelections) {
      throw invalid(`groups.${index}.max_selections`, "must not be below min_selections");
    }
    const field = `groups.${index}.components`;
    return {
      ...draft,
      id: pairs[index]?.id ?? making.newId("grp"),
      components: componentsFrom(draft.components, pairs[index]?.components ?? [], {
        ...making,
        field,
      }),
    };
  });
}

function componentsFrom(
  drafts: readonly CompositeComponentDraft[],
  previous: readonly CompositeComponent[],
  { parts, newId, field }: Making & { field: string },
): CompositeComponent[] {
  const known = previous.map((component) => ({ ...component, id: component.componentId }));
  const pairs = paired(drafts, known, { keys, field, idName: "component_id" });
  return drafts.map(({ id: _, ...draft }, index) => {
    if (draft.priceMinor < 0) throw invalid(`${field}.${index}.price`, "must not be negative");
    const pair = pairs[index];
    // What stands there already may stay, archived or not.
    if (draft.productId !== null && draft.productId !== pair?.productId) {
      demandPart(parts, draft.productId, `${field}.${index}.product_id`);
    }
    return { ...draft, componentId: pair?.id ?? newId("opt") };
  });
}

export function demandBasePrice(basePriceMinor: number): number {
  if (basePriceMinor < 0) throw invalid("base_price", "must not be negative");
  return basePriceMinor;
}
