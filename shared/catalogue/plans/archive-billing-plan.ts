import { type Context, commit } from "../../database/index.ts";
import { conflict } from "../../kernel/index.ts";
import { raiseVersion } from "../product-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { type BillingPlanRecord, billingPlanRepo } from "./billing-plan-repo.ts";

/**
 * Takes a plan away for good: no product is offered by it any more. Done twice it is done once.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveBillingPlan(ctx: Context, id: string): Promise<BillingPlanRecord> {
  const repo = billingPlanRepo(ctx);
  return retryRaces(async () => {
    const record = await repo.getEvenArchived(id);
    if (record.isArchived) return record;
    const updatedAt = Math.max(ctx.now(), record.updatedAt + 1);
    await commit(ctx, {
      writes: [repo.archive(record, updatedAt), raiseVersion(ctx)],
      audit: [{ action: "billing_plan.archived", entity: id, before: record.plan }],
      refusals: {
        "billing_plans.updated_at": () =>
          conflict("The plan changed meanwhile; try again.", { retryable: true }),
      },
    });
    return { ...record, updatedAt, isArchived: true };
  });
}
