import { type Context, commit } from "../../database/index.ts";
import { nextUpdate, omitUndefined } from "../../kernel/index.ts";
import { changedMeanwhile } from "../change-record.ts";
import { raiseVersion } from "../product-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { type BillingPlanPatch, checkedPlan } from "./billing-plan.ts";
import { type BillingPlanRecord, billingPlanRepo } from "./billing-plan-repo.ts";

/**
 * Changes the fields that are sent (business-surface.md, Catalogue).
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field.
 */
export function updateBillingPlan(
  ctx: Context,
  id: string,
  patch: BillingPlanPatch,
): Promise<BillingPlanRecord> {
  const repo = billingPlanRepo(ctx);
  return retryRaces(async () => {
    const record = await repo.get(id);
    const { plan: before } = record;
    const after = checkedPlan({ ...before, ...omitUndefined(patch) });
    const updatedAt = nextUpdate(ctx.now(), record);
    await commit(ctx, {
      writes: [repo.update(record, after, updatedAt), raiseVersion(ctx)],
      audit: [{ action: "billing_plan.updated", entity: id, before, after }],
      refusals: changedMeanwhile("billing_plans", "plan"),
    });
    return { plan: after, updatedAt, archivedAt: null };
  });
}
