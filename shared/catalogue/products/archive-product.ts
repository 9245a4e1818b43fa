import { type Context, commit } from "../../database/index.ts";
import { audited, planArchive } from "./plan-product.ts";
import { type ProductRecord, productRecordRepo } from "./product-record-repo.ts";
import { retryRaces } from "./retry-races.ts";

/**
 * Takes a product out of the catalogue for good; done twice it is done once.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveProduct(ctx: Context, id: string): Promise<ProductRecord> {
  return retryRaces(async () => {
    const record = await productRecordRepo(ctx).getEvenArchived(id);
    if (record.isArchived) return record;
    const plan = planArchive(ctx, record);
    await commit(ctx, { ...plan.change, audit: [audited("product.archived", id, plan)] });
    return plan.record;
  });
}
