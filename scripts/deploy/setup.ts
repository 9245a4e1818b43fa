import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../dev/paths.ts";
import { deployOrder } from "./workers.ts";

const databaseLine = /database_name = "([^"]+)", database_id = "([^"]+)"/g;
const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

/** The wrangler.toml of a Worker that is bound to all databases. */
export const databaseConfig = "functions/background/wrangler.toml";

export const listDatabases = (): string[] =>
  [...readFileSync(join(root, databaseConfig), "utf8").matchAll(databaseLine)].flatMap(
    ([, name]) => name ?? [],
  );

/** Finds databases whose database_id is a placeholder or is not the same in all Workers. */
export function findUnconfiguredDatabases(): string[] {
  const ids = new Map<string, Set<string>>();
  for (const { config } of deployOrder) {
    for (const [, name, id] of readFileSync(join(root, config), "utf8").matchAll(databaseLine)) {
      if (name === undefined || id === undefined) continue;
      ids.set(name, (ids.get(name) ?? new Set()).add(id));
    }
  }
  return [...ids]
    .filter(([, configured]) => configured.size !== 1 || ![...configured].every(isUuid))
    .map(([name]) => name);
}

/** What is missing when merchants' assets have no host of their own; null when they have one. */
export const findAssetsHostProblem = (
  config = readFileSync(join(root, "wrangler.toml"), "utf8"),
): string | null =>
  /^CDN_URL = "https:/m.test(config)
    ? null
    : `Nothing was deployed. CDN_URL is missing, so merchants' assets, scripts and pages included, would share
an origin with the API. Give them a host of their own (docs/deploy.md, "A host for assets"), or
accept that with

  npm run deploy -- --assets-on-api-host`;

export const setupInstructions = `Create these resources once, then write each database_id into the four functions/*/wrangler.toml:

  npx wrangler login
  npx wrangler d1 create duka-core
  npx wrangler d1 create duka-shop-1
  npx wrangler d1 create duka-shop-2
  npx wrangler r2 bucket create duka-files
  npx wrangler queues create duka-events
  npx wrangler queues create duka-events-dead
  npx wrangler queues create duka-messages
  npx wrangler queues create duka-work

After the first deployment, for each Worker of functions/ (SESSION_SECRET and
WEBHOOK_SIGNING_SECRET are the same in all of them; at least 32 characters, no comma):

  npx wrangler secret put SESSION_SECRET -c functions/<worker>/wrangler.toml
  npx wrangler secret put WEBHOOK_SIGNING_SECRET -c functions/<worker>/wrangler.toml
  npx wrangler secret put OPERATOR_TOKEN -c functions/business/wrangler.toml

So that businesses can connect their accounts at payment providers, the same on storefront, business
and background (k1:$(openssl rand -base64 32); docs/payments.md):

  npx wrangler secret put CREDENTIALS_KEY -c functions/<worker>/wrangler.toml

For an account of the deployment at Paystack, on storefront, business and background. Set
the webhook https://<your host>/api/v1/payments/providers/paystack/webhook in Paystack's dashboard:

  npx wrangler secret put PAYSTACK_SECRET_KEY -c functions/<worker>/wrangler.toml

For address lookup, with PLACES_PROVIDER = "google" in the storefront's [vars]:

  npx wrangler secret put GOOGLE_PLACES_API_KEY -c functions/storefront/wrangler.toml`;
