import { z } from "@hono/zod-openapi";
import {
  type AttributeOwner,
  type AttributePatch,
  attributeTypes,
  type NewAttribute,
} from "../../../../shared/catalogue/index.ts";
import { omitUndefined } from "../../../../shared/kernel/index.ts";
import { id, name, text } from "../../../wire/fields.ts";

const Fields = z
  .object({
    category_id: id().nullable(),
    collection_id: id().nullable(),
    // What the list's filter by properties takes for a key.
    key: name(100).refine((key) => !/["\\]/.test(key), "must not hold quotes or backslashes"),
    label: name(),
    type: z.enum(attributeTypes),
    values: z.array(name()).max(200),
    unit: text(40).min(1).nullable(),
    is_filterable: z.boolean(),
  })
  .partial();
type Fields = z.infer<typeof Fields>;

const isOneAtMost = ({ category_id, collection_id }: Fields) => !category_id || !collection_id;
const both = { path: ["collection_id"], message: "does not go together with category_id" };

/** What a merchant writes of an attribute, and of what it is one. */
export const AttributeFields = Fields.refine(isOneAtMost, both);

export const NewAttributeFields = Fields.required({ key: true, label: true, type: true })
  .refine(isOneAtMost, both)
  .refine(({ category_id, collection_id }) => category_id || collection_id, {
    path: ["category_id"],
    message: "or a collection_id is required",
  });

export const readAttribute = (fields: Fields): AttributePatch => ({
  owner: ownerOf(fields),
  key: fields.key,
  label: fields.label,
  type: fields.type,
  values: fields.values,
  unit: fields.unit,
  isFilterable: fields.is_filterable,
});

export const readNewAttribute = (fields: z.infer<typeof NewAttributeFields>): NewAttribute => ({
  values: [],
  unit: null,
  isFilterable: false,
  ...omitUndefined(readAttribute(fields)),
  key: fields.key,
  label: fields.label,
  type: fields.type,
  owner: ownerOf(fields) ?? nobody,
});

/** What the schema lets nobody send; there is no such category. */
const nobody: AttributeOwner = { categoryId: "", collectionId: null };

function ownerOf({ category_id, collection_id }: Fields): AttributeOwner | undefined {
  if (category_id) return { categoryId: category_id, collectionId: null };
  return collection_id ? { categoryId: null, collectionId: collection_id } : undefined;
}
