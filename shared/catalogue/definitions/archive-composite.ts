import { type Context, commit } from "../../database/index.ts";
import { audited, planArchive } from "../products/plan-product.ts";
import type { ProductRecord } from "../products/product-record-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { definitionRecordRepo } from "./definition-record-repo.ts";

/**
 * Takes a composite and its product out of the catalogue for good; done twice it is done once.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveComposite(ctx: Context, id: string): Promise<ProductRecord> {
  return retryRaces(async () => {
    const record = await definitionRecordRepo(ctx, "composite").getEvenArchived(id);
    if (record.isArchived) return record;
    const plan = planArchive(ctx, record);
    await commit(ctx, { ...plan.change, audit: [audited("composite.archived", id, plan)] });
    return plan.record;
  });
}
