import { nextUpdatedAt } from "../database/index.ts";
import { canonicalJson, omitUndefined, type Patch, Refusal } from "../kernel/index.ts";
import type { Business, Settings } from "./business.ts";
import { commitToCore, type MerchantContext } from "./context.ts";
import { organizationRepo } from "./organization-repo.ts";
import { businessRepo } from "./repo.ts";

/**
 * Fields that are left out stay unchanged. This also holds for the fields inside tax, fx,
 * rateLimits and unpaidLimits.
 */
export type BusinessPatch = Patch<
  Pick<Business, "name" | "organizationId"> &
    Omit<Settings, "tax" | "fx" | "rateLimits" | "unpaidLimits">
> &
  Readonly<{
    tax?: Patch<Settings["tax"]> | undefined;
    fx?: Patch<Settings["fx"]> | undefined;
    rateLimits?: Settings["rateLimits"] | undefined;
    unpaidLimits?: Settings["unpaidLimits"] | undefined;
  }>;

/**
 * Changes a business's name and settings, and its organization when the operator asks. It reads the
 * record again, because the caller's copy may be seconds old.
 *
 * @throws Refusal FORBIDDEN when a merchant changes the organization, CONFLICT when the business
 * changed meanwhile.
 */
export async function updateBusiness(
  ctx: MerchantContext,
  patch: BusinessPatch,
): Promise<Business> {
  const repo = businessRepo(ctx.core);
  const organizations = organizationRepo(ctx.core);
  const before = await repo.get(ctx.business.id);
  assertOrganizationUnchanged(ctx, before, patch);
  const after = applyBusinessPatch(before, patch, ctx.now());
  if (canonicalJson(toAuditView(after)) === canonicalJson(toAuditView(before))) return before;
  await commitToCore(ctx, {
    writes: [
      organizations.insertIfMissing(after),
      repo.update(after, { readAt: before.updatedAt }),
      organizations.assignDefaultBusinesses([before, after]),
    ],
    audit: {
      action: "business.updated",
      entity: before.id,
      before: toAuditView(before),
      after: toAuditView(after),
    },
  });
  return after;
}

/** The organization's keys serve its businesses, so a merchant may neither join nor leave one. */
function assertOrganizationUnchanged(
  { actor }: MerchantContext,
  { organizationId }: Business,
  patch: BusinessPatch,
): void {
  if (actor.type === "operator" || patch.organizationId === undefined) return;
  if (patch.organizationId === organizationId) return;
  throw new Refusal({
    code: "FORBIDDEN",
    message: "Only the operator of the deployment changes organization_id.",
  });
}

function applyBusinessPatch(
  business: Business,
  { name, organizationId, ...settings }: BusinessPatch,
  now: number,
): Business {
  const { tax, fx, rateLimits, unpaidLimits } = business.settings;
  return {
    ...business,
    name: name ?? business.name,
    organizationId: organizationId === undefined ? business.organizationId : organizationId,
    settings: {
      ...business.settings,
      ...omitUndefined(settings),
      tax: { ...tax, ...omitUndefined(settings.tax ?? {}) },
      fx: { ...fx, ...omitUndefined(settings.fx ?? {}) },
      rateLimits: { ...rateLimits, ...omitUndefined(settings.rateLimits ?? {}) },
      unpaidLimits: { ...unpaidLimits, ...omitUndefined(settings.unpaidLimits ?? {}) },
    },
    updatedAt: nextUpdatedAt(now, business),
  };
}

const toAuditView = ({ name, organizationId, settings }: Business) => ({
  name,
  organizationId,
  settings,
});
