import { z } from "@hono/zod-openapi";
import { attributeTypes, type merchantCatalogue } from "../../../../shared/catalogue/index.ts";
import { omitUndefined } from "../../../../shared/kernel/index.ts";
import { id, name, text } from "../../../wire/fields.ts";

const BaseAttributeFields = z
  .object({
    category_id: id().nullable(),
    collection_id: id().nullable(),
    // The characters that the product list's property filter accepts.
    key: name(100).refine((key) => !/["\\]/.test(key), "must not contain quotes or backslashes"),
    label: name(),
    type: z.enum(attributeTypes),
    values: z.array(name()).max(200),
    unit: text(40).min(1).nullable(),
    is_filterable: z.boolean(),
  })
  .partial();
type BaseAttributeFields = z.infer<typeof BaseAttributeFields>;

const hasAtMostOneOwner = ({ category_id, collection_id }: BaseAttributeFields) =>
  !category_id || !collection_id;
const twoOwnersIssue = {
  path: ["collection_id"],
  message: "cannot be combined with category_id",
};

/** The fields of an attribute, with the category or collection that it belongs to. */
export const AttributeFields = BaseAttributeFields.refine(hasAtMostOneOwner, twoOwnersIssue);

export const NewAttributeFields = BaseAttributeFields.required({
  key: true,
  label: true,
  type: true,
})
  .refine(hasAtMostOneOwner, twoOwnersIssue)
  .refine(({ category_id, collection_id }) => category_id || collection_id, {
    path: ["category_id"],
    message: "either category_id or collection_id is required",
  });

export const toAttributePatch = (
  fields: BaseAttributeFields,
): merchantCatalogue.AttributePatch => ({
  owner: ownerOf(fields),
  key: fields.key,
  label: fields.label,
  type: fields.type,
  values: fields.values,
  unit: fields.unit,
  isFilterable: fields.is_filterable,
});

export const toNewAttribute = (
  fields: z.infer<typeof NewAttributeFields>,
): merchantCatalogue.NewAttribute => ({
  values: [],
  unit: null,
  isFilterable: false,
  ...omitUndefined(toAttributePatch(fields)),
  key: fields.key,
  label: fields.label,
  type: fields.type,
  owner: ownerOf(fields) ?? missingOwner,
});

/** Only satisfies the type. The schema requires an owner, so this value is never used. */
const missingOwner: merchantCatalogue.AttributeOwner = { categoryId: "", collectionId: null };

function ownerOf({
  category_id,
  collection_id,
}: BaseAttributeFields): merchantCatalogue.AttributeOwner | undefined {
  if (category_id) return { categoryId: category_id, collectionId: null };
  return collection_id ? { categoryId: null, collectionId: collection_id } : undefined;
}
