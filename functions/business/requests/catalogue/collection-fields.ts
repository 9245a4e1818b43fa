import { z } from "@hono/zod-openapi";
import type {
  CollectionMembers,
  CollectionPatch,
  NewCollection,
} from "../../../../shared/catalogue/index.ts";
import { omitUndefined } from "../../../../shared/kernel/index.ts";
import { freeObject, id, name, slug, text, url } from "../../../wire/fields.ts";
import { tag } from "./product-fields.ts";

const unique = <T>(values: readonly T[]) => [...new Set(values)];

const Fields = z
  .object({
    name: name(),
    slug: slug().nullable(),
    image_url: url().nullable(),
    description: text(20_000),
    sort_order: z.number().int().min(-1_000_000).max(1_000_000),
    metadata: freeObject(),
    product_ids: z.array(id()).max(1_000).nullable(),
    rule: z.object({ tags: z.array(tag).min(1).max(20) }).nullable(),
  })
  .partial();
type Fields = z.infer<typeof Fields>;

const isOneAtMost = ({ product_ids, rule }: Fields) => !product_ids || !rule;
const both = { path: ["rule"], message: "does not go together with product_ids" };

/** What a merchant writes of a collection: its products one by one, or the rule for them. */
export const CollectionFields = Fields.refine(isOneAtMost, both);

export const NewCollectionFields = Fields.required({ name: true })
  .refine(isOneAtMost, both)
  .refine(({ product_ids, rule }) => product_ids || rule, {
    path: ["product_ids"],
    message: "or a rule is required",
  });

const blank = { slug: null, description: "", imageUrl: null, sortOrder: 0, metadata: {} };

export const readCollection = (fields: z.infer<typeof CollectionFields>): CollectionPatch => ({
  name: fields.name,
  slug: fields.slug,
  description: fields.description,
  imageUrl: fields.image_url,
  sortOrder: fields.sort_order,
  metadata: fields.metadata,
  members: fields.product_ids || fields.rule ? readMembers(fields) : undefined,
});

export const readNewCollection = (fields: z.infer<typeof NewCollectionFields>): NewCollection => ({
  ...blank,
  ...omitUndefined(readCollection(fields)),
  name: fields.name,
  members: readMembers(fields),
});

const readMembers = ({ product_ids, rule }: Fields): CollectionMembers =>
  rule
    ? { productIds: null, rule: { tags: unique(rule.tags) } }
    : { productIds: unique(product_ids ?? []), rule: null };
