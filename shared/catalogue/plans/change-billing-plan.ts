import {
  archiveRecord,
  type Context,
  commit,
  nextUpdatedAt,
  retryOnConflict,
  staleWriteRefusal,
} from "../../database/index.ts";
import { omitUndefined } from "../../kernel/index.ts";
import { raiseCatalogueVersion } from "../catalogue-version-repo.ts";
import { type BillingPlanPatch, type NewBillingPlan, requireValidPlan } from "./billing-plan.ts";
import { type BillingPlanRecord, billingPlanRepo } from "./billing-plan-repo.ts";

/**
 * Creates a billing plan, by which products can then be sold.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export async function createBillingPlan(
  ctx: Context,
  input: NewBillingPlan,
): Promise<BillingPlanRecord> {
  const plan = requireValidPlan({ ...input, id: ctx.newId("bp") });
  const now = ctx.now();
  await commit(ctx, {
    writes: [billingPlanRepo(ctx).insert(plan, now), raiseCatalogueVersion(ctx)],
    audit: [{ action: "billing_plan.created", entity: plan.id, after: plan }],
  });
  return { plan, updatedAt: now, archivedAt: null };
}

/**
 * Changes the fields that the patch contains.
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field.
 */
export function updateBillingPlan(
  ctx: Context,
  id: string,
  patch: BillingPlanPatch,
): Promise<BillingPlanRecord> {
  const repo = billingPlanRepo(ctx);
  return retryOnConflict(async () => {
    const record = await repo.get(id);
    const { plan: before } = record;
    const after = requireValidPlan({ ...before, ...omitUndefined(patch) });
    const updatedAt = nextUpdatedAt(ctx.now(), record);
    await commit(ctx, {
      writes: [repo.update(record, after, updatedAt), raiseCatalogueVersion(ctx)],
      audit: [{ action: "billing_plan.updated", entity: id, before, after }],
      refusals: staleWriteRefusal("billing_plans", "plan"),
    });
    return { plan: after, updatedAt, archivedAt: null };
  });
}

/**
 * Archives a billing plan. Products are no longer offered with it. Repeating the call changes
 * nothing.
 *
 * @throws Refusal NOT_FOUND.
 */
export const archiveBillingPlan = (ctx: Context, id: string): Promise<BillingPlanRecord> =>
  archiveRecord(ctx, id, {
    repo: billingPlanRepo(ctx),
    writes: [raiseCatalogueVersion(ctx)],
    action: "billing_plan.archived",
    before: ({ plan }) => plan,
    refusals: staleWriteRefusal("billing_plans", "plan"),
  });
