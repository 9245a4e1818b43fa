import type { BusinessSchemas } from "@duka/sdk/business";
import { createRowKey } from "../../ui/row-key.ts";
import {
  emptyProduct,
  type ProductValues,
  toProductFields,
  toProductValues,
} from "../products/product-values.ts";

export type Composite = BusinessSchemas["CompositeRecord"];

/** What shoppers may choose in a group. */
export type ChoiceValues = Readonly<{
  key: string;
  component_id: string | undefined;
  name: string;
  price: string;
  product_id: string | null;
}>;

export type GroupValues = Readonly<{
  key: string;
  id: string | undefined;
  name: string;
  min_selections: string;
  max_selections: string;
  components: readonly ChoiceValues[];
}>;

export interface CompositeValues extends ProductValues {
  readonly base_price: string;
  readonly groups: readonly GroupValues[];
}

export const newChoice = (): ChoiceValues => ({
  key: createRowKey(),
  component_id: undefined,
  name: "",
  price: "0",
  product_id: null,
});

export const newGroup = (): GroupValues => ({
  key: createRowKey(),
  id: undefined,
  name: "",
  min_selections: "0",
  max_selections: "1",
  components: [newChoice()],
});

export const emptyComposite = (): CompositeValues => ({
  ...emptyProduct,
  product_type: "composite",
  base_price: "",
  groups: [newGroup()],
});

export const toCompositeValues = (composite: Composite): CompositeValues => ({
  ...toProductValues(composite),
  base_price: composite.base_price,
  groups: composite.groups.map((group) => ({
    ...group,
    key: group.id,
    min_selections: String(group.min_selections),
    max_selections: String(group.max_selections),
    components: group.components.map((component) => ({
      ...component,
      key: component.component_id,
    })),
  })),
});

/** The fields of a request. The price that lists show is the base price unless it is set. */
export function toCompositeFields({ base_price: basePrice, groups, ...values }: CompositeValues) {
  const { product_type: _, default_price: price, ...fields } = toProductFields(values);
  return {
    ...fields,
    base_price: basePrice,
    default_price: price.trim() === "" ? basePrice : price,
    groups: groups.map(({ key: _, components, ...group }) => ({
      ...group,
      min_selections: Number(group.min_selections),
      max_selections: Number(group.max_selections),
      components: components.map(({ key: _, price: extra, ...component }) => ({
        ...component,
        price: extra.trim() || "0",
      })),
    })),
  };
}
