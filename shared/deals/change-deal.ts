import { raiseVersion, retryRaces } from "../catalogue/index.ts";
import { type AuditedChange, type Context, commit, type Write } from "../database/index.ts";
import { conflict, invalid, type Refusal } from "../kernel/index.ts";
import type { Deal } from "./deal.ts";
import { type DealPatch, dealFrom, type NewDeal, patchedDeal } from "./deal-draft.ts";
import { dealRepo } from "./deal-repo.ts";

/**
 * Offers a deal (business-surface.md, Catalogue).
 *
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a code that is taken.
 */
export async function createDeal(ctx: Context, input: NewDeal): Promise<Deal> {
  const { currency } = ctx.business;
  const deal = dealFrom(input, { id: ctx.newId("deal"), currency });
  await demandKnownIds(ctx, deal);
  await committed(ctx, dealRepo(ctx).insert(deal, ctx.now()), {
    action: "deal.created",
    entity: deal.id,
    after: deal,
  });
  return deal;
}

/**
 * Changes the fields that are sent (business-surface.md, Catalogue).
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field, also for a usage_limit below what was
 * redeemed already; CONFLICT for a code that is taken.
 */
export function updateDeal(ctx: Context, id: string, patch: DealPatch): Promise<Deal> {
  return retryRaces(async () => {
    const record = await dealRepo(ctx).getLive(id);
    const deal = patchedDeal(record.deal, patch, ctx.business.currency);
    if (patch.appliesTo !== undefined) await demandKnownIds(ctx, deal);
    await committed(ctx, dealRepo(ctx).update(record, deal, ctx.now()), {
      action: "deal.updated",
      entity: id,
      before: record.deal,
      after: deal,
    });
    return deal;
  });
}

/** Ends a deal for good, and frees its code; done twice it is done once. @throws Refusal NOT_FOUND. */
export function archiveDeal(ctx: Context, id: string): Promise<Deal> {
  return retryRaces(async () => {
    const record = await dealRepo(ctx).getEvenArchived(id);
    if (record.isArchived) return record.deal;
    await committed(ctx, dealRepo(ctx).archive(record, ctx.now()), {
      action: "deal.archived",
      entity: id,
      before: record.deal,
    });
    return record.deal;
  });
}

async function demandKnownIds(ctx: Context, { appliesTo }: Deal): Promise<void> {
  const strangers = await dealRepo(ctx).strangersIn(appliesTo);
  if (strangers.length === 0) return;
  throw invalid(
    "applies_to.ids",
    `no such ${appliesTo.scope}: ${strangers.slice(0, 5).join(", ")}`,
  );
}

const committed = (ctx: Context, write: Write, entry: AuditedChange) =>
  commit(ctx, { writes: [write, raiseVersion(ctx)], audit: [entry], refusals });

const refusals: Readonly<Record<string, () => Refusal>> = {
  "deals.code_key": () => conflict("Another deal has this code."),
  "deals.updated_at": () => conflict("The deal changed meanwhile; try again.", { retryable: true }),
  deals_usage: () => invalid("usage_limit", "is less than what was redeemed already."),
};
