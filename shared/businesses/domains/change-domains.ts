import { invalid, ruleViolation } from "../../kernel/index.ts";
import { commitToCore, type MerchantContext } from "../context.ts";
import { type Domain, isSameSite, maxDomains } from "./domain.ts";
import { domainRepo } from "./domain-repo.ts";

/**
 * Adds a pending domain. A hostname that the business named before keeps its record.
 *
 * @param ownHosts the hostnames of the deployment, which can be no business's.
 * @throws Refusal VALIDATION_ERROR for a hostname of the deployment, DOMAIN_LIMIT.
 */
export async function addDomain(
  ctx: MerchantContext,
  { hostname, ownHosts }: Readonly<{ hostname: string; ownHosts: readonly string[] }>,
): Promise<Domain> {
  if (ownHosts.some((host) => isSameSite(host, hostname)))
    throw invalid("hostname", "belongs to this deployment; name one of your own");
  const repo = domainRepo(ctx.core, ctx.business.id);
  const existing = await repo.findByHostname(hostname);
  if (existing) return existing;
  const domain: Domain = {
    id: ctx.newId("dom"),
    businessId: ctx.business.id,
    hostname,
    verifiedAt: null,
    createdAt: ctx.now(),
  };
  await commitToCore(ctx, {
    writes: [repo.insertIfMissing(domain)],
    audit: { action: "domain.added", entity: domain.id, after: { hostname } },
  });
  const stored = await repo.findByHostname(hostname);
  if (!stored) throw ruleViolation("DOMAIN_LIMIT", `A business has at most ${maxDomains} domains.`);
  return stored;
}

/**
 * Removes a domain, which leads nowhere within 10 seconds.
 *
 * @throws Refusal NOT_FOUND, also for another business's domain.
 */
export async function removeDomain(ctx: MerchantContext, id: string): Promise<Domain> {
  const repo = domainRepo(ctx.core, ctx.business.id);
  const domain = await repo.get(id);
  await commitToCore(ctx, {
    writes: [repo.delete(id)],
    audit: { action: "domain.removed", entity: id, before: { hostname: domain.hostname } },
  });
  return domain;
}
