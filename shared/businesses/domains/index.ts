export { addDomain, removeDomain } from "./change-domains.ts";
export * from "./domain.ts";
export {
  type BusinessWithHostname,
  domainRepo,
  dueDomainChecks,
  findWithHostnames,
} from "./domain-repo.ts";
export { type LookUpTxt, verifyDomain, verifyDueDomains } from "./verify-domain.ts";
