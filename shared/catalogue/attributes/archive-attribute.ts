import { type Context, commit } from "../../database/index.ts";
import { conflict } from "../../kernel/index.ts";
import { raiseVersion } from "../product-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { type AttributeRecord, attributeRepo } from "./attribute-repo.ts";

/**
 * Takes an attribute away for good; what products say of it stays. Done twice it is done once.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveAttribute(ctx: Context, id: string): Promise<AttributeRecord> {
  const repo = attributeRepo(ctx);
  return retryRaces(async () => {
    const record = await repo.getEvenArchived(id);
    if (record.isArchived) return record;
    const updatedAt = Math.max(ctx.now(), record.updatedAt + 1);
    await commit(ctx, {
      writes: [repo.archive(record, updatedAt), raiseVersion(ctx)],
      audit: [{ action: "attribute.archived", entity: id, before: record.attribute }],
      refusals: {
        "attributes.updated_at": () =>
          conflict("The attribute changed meanwhile; try again.", { retryable: true }),
      },
    });
    return { ...record, updatedAt, isArchived: true };
  });
}
