import { archiveRecord, changedMeanwhile, raiseVersion, retryRaces } from "../catalogue/index.ts";
import { type AuditedChange, type Context, commit, type Write } from "../database/index.ts";
import { conflict, invalid, nextUpdate, type Refusal } from "../kernel/index.ts";
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
  await demandKnownIds(ctx, deal.appliesTo);
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
    if (patch.appliesTo) await demandKnownIds(ctx, added(record.deal, patch.appliesTo));
    await committed(ctx, dealRepo(ctx).update(record, deal, nextUpdate(ctx.now(), record)), {
      action: "deal.updated",
      entity: id,
      before: record.deal,
      after: deal,
    });
    return deal;
  });
}

/** Ends a deal for good, and frees its code; done twice it is done once. @throws Refusal NOT_FOUND. */
export async function archiveDeal(ctx: Context, id: string): Promise<Deal> {
  const { deal } = await archiveRecord(ctx, id, {
    repo: dealRepo(ctx),
    action: "deal.archived",
    before: (record) => record.deal,
    refusals,
  });
  return deal;
}

/** Of what a deal is to apply to, what it did not before: the rest may have been archived since. */
const added = ({ appliesTo: before }: Deal, after: Deal["appliesTo"]): Deal["appliesTo"] =>
  before.scope === after.scope
    ? { ...after, ids: after.ids.filter((id) => !before.ids.includes(id)) }
    : after;

async function demandKnownIds(ctx: Context, appliesTo: Deal["appliesTo"]): Promise<void> {
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
  ...changedMeanwhile("deals", "deal"),
  deals_usage: () => invalid("usage_limit", "is less than what was redeemed already."),
};
