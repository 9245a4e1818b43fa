import { canonicalJson, nextUpdate, omitUndefined, type Patch } from "../kernel/index.ts";
import type { Business, Settings } from "./business.ts";
import { changeCore } from "./change-core.ts";
import type { MerchantContext } from "./context.ts";
import { businessRepo } from "./repo.ts";

/** What is left out stays; of tax, fx and rateLimits also what is left out inside. */
export type BusinessPatch = Patch<
  Pick<Business, "name"> & Omit<Settings, "tax" | "fx" | "rateLimits">
> &
  Readonly<{
    tax?: Patch<Settings["tax"]> | undefined;
    fx?: Patch<Settings["fx"]> | undefined;
    rateLimits?: Settings["rateLimits"] | undefined;
  }>;

/**
 * Changes a business's name and settings (business-surface.md, Business). Reads the record anew,
 * since the caller's may be seconds old.
 *
 * @throws Refusal CONFLICT when another change came in between.
 */
export async function updateBusiness(
  ctx: MerchantContext,
  patch: BusinessPatch,
): Promise<Business> {
  const repo = businessRepo(ctx.core);
  const before = await repo.get(ctx.business.id);
  const after = patched(before, patch, ctx.now());
  if (canonicalJson(audited(after)) === canonicalJson(audited(before))) return before;
  await changeCore(ctx, {
    writes: [repo.update(after, { readAt: before.updatedAt })],
    audit: {
      action: "business.updated",
      entity: before.id,
      before: audited(before),
      after: audited(after),
    },
  });
  return after;
}

function patched(business: Business, { name, ...settings }: BusinessPatch, now: number): Business {
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
    updatedAt: nextUpdate(now, business),
  };
}

const audited = ({ name, settings }: Business) => ({ name, settings });
