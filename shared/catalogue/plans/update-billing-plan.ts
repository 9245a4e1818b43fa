import { type Context, commit } from "../../database/index.ts";
import { conflict } from "../../kernel/index.ts";
import { raiseVersion } from "../product-repo.ts";
import { given } from "../products/product-draft.ts";
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
    const after = checkedPlan({ ...before, ...given(patch) });
    const updatedAt = Math.max(ctx.now(), record.updatedAt + 1);
    await commit(ctx, {
      writes: [repo.update(record, after, updatedAt), raiseVersion(ctx)],
      audit: [{ action: "billing_plan.updated", entity: id, before, after }],
      refusals: {
        "billing_plans.updated_at": () =>
          conflict("The plan changed meanwhile; try again.", { retryable: true }),
      },
    });
    return { plan: after, updatedAt, isArchived: false };
  });
}
