import type { Context } from "../../database/index.ts";
import { archiveRecord, changedMeanwhile } from "../change-record.ts";
import { type BillingPlanRecord, billingPlanRepo } from "./billing-plan-repo.ts";

/**
 * Takes a plan away for good: no product is offered by it any more. Done twice it is done once.
 *
 * @throws Refusal NOT_FOUND.
 */
export const archiveBillingPlan = (ctx: Context, id: string): Promise<BillingPlanRecord> =>
  archiveRecord(ctx, id, {
    repo: billingPlanRepo(ctx),
    action: "billing_plan.archived",
    before: ({ plan }) => plan,
    refusals: changedMeanwhile("billing_plans", "plan"),
  });
