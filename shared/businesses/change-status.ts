import { nextUpdatedAt } from "../database/index.ts";
import { ruleViolation } from "../kernel/index.ts";
import type { Business, BusinessStatus } from "./business.ts";

import { commitToCore, type MerchantContext } from "./context.ts";
import { businessRepo } from "./repo.ts";

/**
 * Stops a business from selling; its merchant keeps full access. Suspending it again changes nothing.
 *
 * @throws Refusal INVALID_STATE for a closed business, CONFLICT when it changed meanwhile.
 */
export function suspendBusiness(ctx: MerchantContext): Promise<Business> {
  return changeStatus(ctx, "business.suspended", ({ status }, now) => {
    if (status.type !== "closed") return { type: "suspended", suspendedAt: now };
    throw ruleViolation("INVALID_STATE", "A closed business cannot be suspended. Resume it first.");
  });
}

/**
 * Lets a suspended business sell again, or a closed one until its erasure begins.
 *
 * @throws Refusal CONFLICT when the business changed meanwhile, or its erasure has begun.
 */
export const resumeBusiness = (ctx: MerchantContext): Promise<Business> =>
  changeStatus(ctx, "business.resumed", () => ({ type: "active" }));

/**
 * Closes a business: its data can only be read, and are erased 30 days later. Closing it again does
 * not postpone that. @throws Refusal CONFLICT when the business changed meanwhile.
 */
export const closeBusiness = (ctx: MerchantContext): Promise<Business> =>
  changeStatus(ctx, "business.closed", (_, now) => ({ type: "closed", closedAt: now }));

async function changeStatus(
  ctx: MerchantContext,
  action: string,
  nextStatus: (business: Business, now: number) => BusinessStatus,
): Promise<Business> {
  const before = ctx.business;
  const now = ctx.now();
  const status = nextStatus(before, now);
  if (status.type === before.status.type) return before;
  const after = { ...before, status, updatedAt: nextUpdatedAt(now, before) };
  await commitToCore(ctx, {
    writes: [businessRepo(ctx.core).updateStatus(after, { readAt: before.updatedAt })],
    audit: { action, entity: before.id, before: before.status, after: status },
  });
  return after;
}
