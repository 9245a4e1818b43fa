import { invalid, omitUndefined, type Patch } from "../../kernel/index.ts";

export const attributeTypes = ["text", "number", "boolean", "select"] as const;
export type AttributeType = (typeof attributeTypes)[number];

/** The category or the collection whose products have the attribute. */
export type AttributeOwner =
  | Readonly<{ categoryId: string; collectionId: null }>
  | Readonly<{ categoryId: null; collectionId: string }>;

/** Describes a property that products of a category or collection may have. */
export type Attribute = Readonly<{
  id: string;
  owner: AttributeOwner;
  /** The name of the product's property. */
  key: string;
  label: string;
  type: AttributeType;
  /** The choices of a select; empty for other types. */
  values: readonly string[];
  unit: string | null;
  isFilterable: boolean;
}>;

export type NewAttribute = Omit<Attribute, "id">;
export type AttributePatch = Patch<NewAttribute>;

/**
 * Checks that exactly the attributes of type select have values.
 * @throws Refusal VALIDATION_ERROR for a select without values, or another type with values.
 */
export function requireValidAttribute(attribute: Attribute): Attribute {
  const { type, values } = attribute;
  if (type === "select" && values.length === 0) {
    throw invalid("values", "must have at least one entry for type select");
  }
  if (type !== "select" && values.length > 0) {
    throw invalid("values", "must be empty unless the type is select");
  }
  return { ...attribute, values: [...new Set(values)] };
}

/**
 * The attribute with the patch applied. The values are removed when its type is no longer select.
 */
export function applyAttributePatch(attribute: Attribute, patch: AttributePatch): Attribute {
  const after = { ...attribute, ...omitUndefined(patch) };
  const currentValues = after.type === "select" ? attribute.values : [];
  return requireValidAttribute({ ...after, values: patch.values ?? currentValues });
}
