import { type Db, findFailedConstraint } from "../../database/index.ts";
import { conflict, ruleViolation, unavailable } from "../../kernel/index.ts";
import { type Domain, verificationRecordOf } from "./domain.ts";
import { hostRepo } from "./domain-repo.ts";

/** The texts of the TXT records of a name; null when DNS did not answer. */
export type LookUpTxt = (name: string) => Promise<readonly string[] | null>;

type VerificationContext = Readonly<{ core: Db; now: () => number; lookUpTxt: LookUpTxt }>;

type Verification = "verified" | "no_record" | "no_answer" | "taken";

/**
 * Looks for the domain's DNS record, and lets the hostname lead to the business's shop.
 *
 * @returns the domain as it is now.
 * @throws Refusal DOMAIN_NOT_VERIFIED, CONFLICT while the DNS record of another business with this
 * hostname is still there, SERVICE_UNAVAILABLE when DNS does not answer.
 */
export async function verifyDomain(ctx: VerificationContext, domain: Domain): Promise<Domain> {
  if (domain.verifiedAt !== null) return domain;
  const now = ctx.now();
  switch (await verify(ctx, domain, now)) {
    case "verified":
      return { ...domain, verifiedAt: now };
    case "taken":
      throw conflict(
        `${domain.hostname} leads to another business, whose DNS record is still there.`,
      );
    case "no_answer":
      throw unavailable("DNS did not answer. Try again in a minute.");
    case "no_record": {
      const { name, value } = verificationRecordOf(domain);
      throw ruleViolation(
        "DOMAIN_NOT_VERIFIED",
        `There is no TXT record ${name} with the value ${value}. A new record can take an hour to be seen.`,
      );
    }
  }
}

/** Looks at DNS for some pending domains that are due. Returns how many it has claimed. */
export async function verifyDueDomains(ctx: VerificationContext, limit: number): Promise<number> {
  const now = ctx.now();
  const domains = await hostRepo(ctx.core).claimDue(now, limit);
  await Promise.all(domains.map((domain) => verify(ctx, domain, now)));
  return domains.length;
}

async function verify(
  { core, lookUpTxt }: VerificationContext,
  domain: Domain,
  now: number,
): Promise<Verification> {
  const record = verificationRecordOf(domain);
  const values = await lookUpTxt(record.name);
  if (values === null) return "no_answer";
  if (!values.includes(record.value)) return "no_record";
  const repo = hostRepo(core);
  const holder = await repo.findVerified(domain.hostname);
  if (holder && holder.id !== domain.id && values.includes(verificationRecordOf(holder).value))
    return "taken";
  try {
    await repo.verify(domain, holder, now);
    return "verified";
  } catch (error) {
    if (findFailedConstraint(error) === "business_domains.hostname") return "taken";
    throw error;
  }
}
