import { raiseCatalogueVersion } from "../catalogue/index.ts";
import {
  type AuditedChange,
  archiveRecord,
  type ConstraintRefusals,
  type Context,
  commit,
  nextUpdatedAt,
  retryOnConflict,
  staleWriteRefusal,
  type Write,
} from "../database/index.ts";
import { conflict, invalid } from "../kernel/index.ts";
import {
  applyDealPatch,
  type Deal,
  type DealPatch,
  dealFromInput,
  type NewDeal,
  referencesId,
  referencesIn,
} from "./deal.ts";
import { dealRepo } from "./deal-repo.ts";

/**
 * Creates a deal.
 *
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a code that another deal uses.
 */
export async function createDeal(ctx: Context, input: NewDeal): Promise<Deal> {
  const { currency } = ctx.business;
  const deal = dealFromInput(input, { id: ctx.newId("deal"), currency });
  assertNoneUnknown(await dealRepo(ctx).findUnknownIds(referencesIn(input)));
  await commitDeal(ctx, dealRepo(ctx).insert(deal, ctx.now()), {
    action: "deal.created",
    entity: deal.id,
    after: deal,
  });
  return deal;
}

/**
 * Updates the given fields of a deal.
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field, also for a usage_limit below the
 * number of redemptions; CONFLICT for a code that another deal uses.
 */
export function updateDeal(ctx: Context, id: string, patch: DealPatch): Promise<Deal> {
  return retryOnConflict(async () => {
    const { record, unknownIds } = await dealRepo(ctx).getForUpdate(id, referencesIn(patch));
    const deal = applyDealPatch(record.deal, patch, ctx.business.currency);
    assertNoneUnknown(unknownIds.filter((unknown) => !referencesId(record.deal, unknown.id)));
    await commitDeal(ctx, dealRepo(ctx).update(record, deal, nextUpdatedAt(ctx.now(), record)), {
      action: "deal.updated",
      entity: id,
      before: record.deal,
      after: deal,
    });
    return deal;
  });
}

/**
 * Archives a deal, so that its code can be used again. Archiving it again changes nothing.
 * @throws Refusal NOT_FOUND.
 */
export async function archiveDeal(ctx: Context, id: string): Promise<Deal> {
  const { deal } = await archiveRecord(ctx, id, {
    repo: dealRepo(ctx),
    writes: [raiseCatalogueVersion(ctx)],
    action: "deal.archived",
    before: (record) => record.deal,
    refusals: dealRefusals,
  });
  return deal;
}

/** @throws Refusal VALIDATION_ERROR naming the first field with ids of unknown records. */
function assertNoneUnknown(
  unknownIds: Awaited<ReturnType<ReturnType<typeof dealRepo>["findUnknownIds"]>>,
): void {
  const [first] = unknownIds;
  if (!first) return;
  const ids = unknownIds.filter(({ field }) => field === first.field).map(({ id }) => id);
  throw invalid(first.field, `there are no such records: ${ids.slice(0, 5).join(", ")}`);
}

const commitDeal = (ctx: Context, write: Write, entry: AuditedChange) =>
  commit(ctx, {
    writes: [write, raiseCatalogueVersion(ctx)],
    audit: [entry],
    refusals: dealRefusals,
  });

const dealRefusals: ConstraintRefusals = {
  "deals.code_key": () => conflict("Another deal uses this code."),
  ...staleWriteRefusal("deals", "deal"),
  deals_usage: () => invalid("usage_limit", "must not be below the number of redemptions."),
};
