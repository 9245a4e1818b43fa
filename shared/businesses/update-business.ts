import { nextUpdatedAt } from "../database/index.ts";
import { canonicalJson, omitUndefined, type Patch, Refusal } from "../kernel/index.ts";
import type { Business, Settings } from "./business.ts";
import { commitToCore, type MerchantContext } from "./context.ts";
import { organizationRepo } from "./organization-repo.ts";
import { businessRepo } from "./repo.ts";
import { slugConstraintRefusals, slugTakenRefusal } from "./slug-refusal.ts";

/**
 * Fields that are left out stay unchanged. This also holds for the fields inside tax,
 * paymentRouting, fx, rateLimits, unpaidLimits and appearance.
 */
export type BusinessPatch = Patch<
  Pick<Business, "name" | "slug" | "organizationId" | "payments"> &
    Omit<Settings, "tax" | "fx" | "rateLimits" | "unpaidLimits" | "paymentRouting" | "appearance">
> &
  Readonly<{
    tax?: Patch<Settings["tax"]> | undefined;
    paymentRouting?: Patch<Settings["paymentRouting"]> | undefined;
    fx?: Patch<Settings["fx"]> | undefined;
    rateLimits?: Settings["rateLimits"] | undefined;
    unpaidLimits?: Settings["unpaidLimits"] | undefined;
    appearance?: Patch<Settings["appearance"]> | undefined;
  }>;

/**
 * Changes a business's name and settings, and its organization and payments as the operator. It reads
 * the record again, because the caller's copy may be seconds old.
 *
 * @throws Refusal FORBIDDEN when a merchant changes what only the operator may, CONFLICT when the business
 * changed meanwhile, or another one has the slug.
 */
export async function updateBusiness(
  ctx: MerchantContext,
  patch: BusinessPatch,
): Promise<Business> {
  const repo = businessRepo(ctx.core);
  const organizations = organizationRepo(ctx.core);
  const before = await repo.get(ctx.business.id);
  assertMayChange(ctx, before, patch);
  const after = applyBusinessPatch(before, patch, ctx.now());
  if (canonicalJson(toAuditView(after)) === canonicalJson(toAuditView(before))) return before;
  if (after.slug !== before.slug && (await repo.findBySlug(after.slug)) !== null)
    throw slugTakenRefusal();
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
    refusals: slugConstraintRefusals,
  });
  return after;
}

/**
 * The organization's keys serve its businesses, so a merchant may neither join nor leave one. And the
 * deployment's own account at a provider belongs to the operator.
 */
function assertMayChange(
  { actor }: MerchantContext,
  { organizationId, payments }: Business,
  patch: BusinessPatch,
): void {
  if (actor.type === "operator") return;
  const { organizationId: organization = organizationId, payments: owner = payments } = patch;
  if (organization !== organizationId) throw onlyOperatorChanges("organization_id");
  if (owner !== payments) throw onlyOperatorChanges("payments");
}

const onlyOperatorChanges = (field: string) =>
  new Refusal({
    code: "FORBIDDEN",
    message: `Only the operator of the deployment changes ${field}.`,
  });

function applyBusinessPatch(
  business: Business,
  { name, slug, organizationId, payments, ...settings }: BusinessPatch,
  now: number,
): Business {
  const { tax, paymentRouting, fx, rateLimits, unpaidLimits, appearance } = business.settings;
  return {
    ...business,
    name: name ?? business.name,
    slug: slug ?? business.slug,
    organizationId: organizationId === undefined ? business.organizationId : organizationId,
    payments: payments ?? business.payments,
    settings: {
      ...business.settings,
      ...omitUndefined(settings),
      tax: { ...tax, ...omitUndefined(settings.tax ?? {}) },
      paymentRouting: { ...paymentRouting, ...omitUndefined(settings.paymentRouting ?? {}) },
      fx: { ...fx, ...omitUndefined(settings.fx ?? {}) },
      rateLimits: { ...rateLimits, ...omitUndefined(settings.rateLimits ?? {}) },
      unpaidLimits: { ...unpaidLimits, ...omitUndefined(settings.unpaidLimits ?? {}) },
      appearance: { ...appearance, ...omitUndefined(settings.appearance ?? {}) },
    },
    updatedAt: nextUpdatedAt(now, business),
  };
}

const toAuditView = ({ name, slug, organizationId, payments, settings }: Business) => ({
  name,
  slug,
  organizationId,
  payments,
  settings,
});
