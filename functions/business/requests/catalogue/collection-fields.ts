import { z } from "@hono/zod-openapi";
import type { merchantCatalogue } from "../../../../shared/catalogue/index.ts";
import { omitUndefined } from "../../../../shared/kernel/index.ts";
import { freeObject, id, name, slug, text, url } from "../../../wire/fields.ts";
import { tag } from "./product-fields.ts";

const unique = <T>(values: readonly T[]) => [...new Set(values)];

const BaseCollectionFields = z
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
type BaseCollectionFields = z.infer<typeof BaseCollectionFields>;

const hasAtMostOneSource = ({ product_ids, rule }: BaseCollectionFields) => !product_ids || !rule;
const twoSourcesIssue = { path: ["rule"], message: "cannot be combined with product_ids" };

/** The fields of a collection. Its products are either listed or selected by a rule. */
export const CollectionFields = BaseCollectionFields.refine(hasAtMostOneSource, twoSourcesIssue);

export const NewCollectionFields = BaseCollectionFields.required({ name: true })
  .refine(hasAtMostOneSource, twoSourcesIssue)
  .refine(({ product_ids, rule }) => product_ids || rule, {
    path: ["product_ids"],
    message: "either product_ids or rule is required",
  });

const collectionDefaults = {
  slug: null,
  description: "",
  imageUrl: null,
  sortOrder: 0,
  metadata: {},
};

export const toCollectionPatch = (
  fields: z.infer<typeof CollectionFields>,
): merchantCatalogue.CollectionPatch => ({
  name: fields.name,
  slug: fields.slug,
  description: fields.description,
  imageUrl: fields.image_url,
  sortOrder: fields.sort_order,
  metadata: fields.metadata,
  members: fields.product_ids || fields.rule ? toCollectionMembers(fields) : undefined,
});

export const toNewCollection = (
  fields: z.infer<typeof NewCollectionFields>,
): merchantCatalogue.NewCollection => ({
  ...collectionDefaults,
  ...omitUndefined(toCollectionPatch(fields)),
  name: fields.name,
  members: toCollectionMembers(fields),
});

const toCollectionMembers = ({
  product_ids,
  rule,
}: BaseCollectionFields): merchantCatalogue.CollectionMembers =>
  rule
    ? { productIds: null, rule: { tags: unique(rule.tags) } }
    : { productIds: unique(product_ids ?? []), rule: null };
