import { type Context, commit } from "../../database/index.ts";
import { conflict, invalid, type Refusal } from "../../kernel/index.ts";
import { raiseVersion } from "../product-repo.ts";
import { type AttributeOwner, checkedAttribute, type NewAttribute } from "./attribute.ts";
import { type AttributeRecord, attributeRepo } from "./attribute-repo.ts";

/**
 * Describes a category's or a collection's products by one more attribute (business-surface.md,
 * Catalogue).
 *
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a key that the owner has already.
 */
export async function createAttribute(ctx: Context, input: NewAttribute): Promise<AttributeRecord> {
  const repo = attributeRepo(ctx);
  const attribute = checkedAttribute({ ...input, id: ctx.newId("attr") });
  if (!(await repo.hasOwner(input.owner))) throw noOwner(input.owner);
  const now = ctx.now();
  await commit(ctx, {
    writes: [repo.insert(attribute, now), raiseVersion(ctx)],
    audit: [{ action: "attribute.created", entity: attribute.id, after: attribute }],
    refusals: { "attributes.key": keyTaken },
  });
  return { attribute, updatedAt: now, archivedAt: null };
}

export const keyTaken = (): Refusal => conflict("Another attribute beside it has this key.");

export const noOwner = ({ categoryId }: AttributeOwner): Refusal =>
  categoryId === null
    ? invalid("collection_id", "no such collection")
    : invalid("category_id", "no such category");
