import { nextUpdatedAt } from "../database/index.ts";
import { canonicalJson, omitUndefined, type Patch } from "../kernel/index.ts";
import type { Business, Settings } from "./business.ts";
import { commitToCore } from "./commit-to-core.ts";
import type { MerchantContext } from "./context.ts";
import { businessRepo } from "./repo.ts";

/**
 * Fields that are left out stay unchanged. This also holds for the fields inside tax, fx and
 * rateLimits.
 */
export type BusinessPatch = Patch<
  Pick<Business, "name"> & Omit<Settings, "tax" | "fx" | "rateLimits">
> &
  Readonly<{
    tax?: Patch<Settings["tax"]> | undefined;
    fx?: Patch<Settings["fx"]> | undefined;
    rateLimits?: Settings["rateLimits"] | undefined;
  }>;

/**
 * Changes a business's name and settings. The function reads the business again, because the
 * caller's copy may be seconds old.
 *
 * @throws Refusal CONFLICT when the business changed meanwhile.
 */
export async function updateBusiness(
  ctx: MerchantContext,
  patch: BusinessPatch,
): Promise<Business> {
  const repo = businessRepo(ctx.core);
  const before = await repo.get(ctx.business.id);
  const after = applyBusinessPatch(before, patch, ctx.now());
  if (canonicalJson(toAuditView(after)) === canonicalJson(toAuditView(before))) return before;
  await commitToCore(ctx, {
    writes: [repo.update(after, { readAt: before.updatedAt })],
    audit: {
      action: "business.updated",
      entity: before.id,
      before: toAuditView(before),
      after: toAuditView(after),
    },
  });
  return after;
}

function applyBusinessPatch(
  business: Business,
  { name, ...settings }: BusinessPatch,
  now: number,
): Business {
  const { tax, fx, rateLimits } = business.settings;
  return {
    ...business,
    name: name ?? business.name,
    settings: {
      ...business.settings,
      ...omitUndefined(settings),
      tax: { ...tax, ...omitUndefined(settings.tax ?? {}) },
      fx: { ...fx, ...omitUndefined(settings.fx ?? {}) },
      rateLimits: { ...rateLimits, ...omitUndefined(settings.rateLimits ?? {}) },
    },
    updatedAt: nextUpdatedAt(now, business),
  };
}

const toAuditView = ({ name, settings }: Business) => ({ name, settings });
