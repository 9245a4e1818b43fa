import { invalid, omitUndefined, type Patch } from "../../kernel/index.ts";

export const attributeTypes = ["text", "number", "boolean", "select"] as const;
export type AttributeType = (typeof attributeTypes)[number];

/** What a category's or a collection's products may be described by: never both. */
export type AttributeOwner =
  | Readonly<{ categoryId: string; collectionId: null }>
  | Readonly<{ categoryId: null; collectionId: string }>;

export type Attribute = Readonly<{
  id: string;
  owner: AttributeOwner;
  /** The name of the product's property. */
  key: string;
  label: string;
  type: AttributeType;
  /** What a select may be; empty for the other types. */
  values: readonly string[];
  unit: string | null;
  isFilterable: boolean;
}>;

export type NewAttribute = Omit<Attribute, "id">;
export type AttributePatch = Patch<NewAttribute>;

/** @throws Refusal VALIDATION_ERROR for a select without values, or values of something else. */
export function checkedAttribute(attribute: Attribute): Attribute {
  const { type, values } = attribute;
  if (type === "select" && values.length === 0) throw invalid("values", "a select needs some");
  if (type !== "select" && values.length > 0) throw invalid("values", "belong to a select alone");
  return { ...attribute, values: [...new Set(values)] };
}

/** The attribute with a merchant's changes; what is no select any more loses its values. */
export function patchedAttribute(attribute: Attribute, patch: AttributePatch): Attribute {
  const after = { ...attribute, ...omitUndefined(patch) };
  const kept = after.type === "select" ? attribute.values : [];
  return checkedAttribute({ ...after, values: patch.values ?? kept });
}
