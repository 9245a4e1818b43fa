import { type Context, commit } from "../../database/index.ts";
import { raiseVersion } from "../product-repo.ts";
import { checkedPlan, type NewBillingPlan } from "./billing-plan.ts";
import { type BillingPlanRecord, billingPlanRepo } from "./billing-plan-repo.ts";

/**
 * Makes a plan that products may be sold by (business-surface.md, Catalogue).
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export async function createBillingPlan(
  ctx: Context,
  input: NewBillingPlan,
): Promise<BillingPlanRecord> {
  const plan = checkedPlan({ ...input, id: ctx.newId("bp") });
  const now = ctx.now();
  await commit(ctx, {
    writes: [billingPlanRepo(ctx).insert(plan, now), raiseVersion(ctx)],
    audit: [{ action: "billing_plan.created", entity: plan.id, after: plan }],
  });
  return { plan, updatedAt: now, archivedAt: null };
}
