export { addDomain, removeDomain } from "./change-domains.ts";
export * from "./domain.ts";
export { domainRepo, dueDomainChecks } from "./domain-repo.ts";
export { type LookUpTxt, verifyDomain, verifyDueDomains } from "./verify-domain.ts";
