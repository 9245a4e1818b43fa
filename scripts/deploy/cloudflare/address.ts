import { z } from "zod";
import type { CloudflareApi } from "./api.ts";
import { nullWhenMissing } from "./api.ts";

const Subdomain = z.object({ subdomain: z.string() });

/** The account's name below workers.dev; null in an account that has none yet. */
export async function findSubdomain(api: CloudflareApi, account: string): Promise<string | null> {
  const found = await nullWhenMissing(api.get(`${account}/workers/subdomain`, Subdomain));
  return found?.subdomain ?? null;
}

/** The name that a new account gets. The account's id makes it unique. */
export const subdomainFor = (accountId: string): string => `duka-${accountId.slice(0, 10)}`;

export const registerSubdomain = (
  api: CloudflareApi,
  account: string,
  subdomain: string,
): Promise<unknown> => api.put(`${account}/workers/subdomain`, { subdomain }, Subdomain);

const Domain = z.object({ hostname: z.string(), service: z.string() });

/** The domains that another Worker serves. Wrangler would take them from it without a question. */
export async function findTakenDomains(
  api: CloudflareApi,
  account: string,
  domains: readonly string[],
  front: string,
): Promise<string[]> {
  if (domains.length === 0) return [];
  const served = await api.get(`${account}/workers/domains`, z.array(Domain));
  return served
    .filter(({ hostname, service }) => domains.includes(hostname) && service !== front)
    .map(
      ({ hostname, service }) =>
        `DOMAINS: ${hostname} belongs to the Worker ${service}. Remove it there first.`,
    );
}
