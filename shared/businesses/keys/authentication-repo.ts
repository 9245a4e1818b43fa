import { and, eq, type SQL, sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { type Db, jsonRow, parseJsonRow } from "../../database/index.ts";
import type { Business } from "../business.ts";
import { toBusiness } from "../repo.ts";
import {
  apiKeys,
  businessDataKeys,
  businesses,
  locations,
  organizations,
  providerAccounts,
} from "../tables.ts";
import { type ApiKey, keyUseResolutionMs } from "./key.ts";
import { toApiKey } from "./key-repo.ts";

/** A key and the business that it serves in this request. */
export type AuthenticatedKey = Readonly<{ key: ApiKey; business: Business | null }>;

/** JSON texts. `business` is null when the key serves none. */
type FoundKey = Readonly<{
  key: string;
  business: string | null;
  locations: string;
  accounts: string;
}>;

/** The common table expressions after `request`, and the query. */
const findQuery = sql`
  , served (key_id, business_id) as (
    select ${apiKeys.id}, ${businesses.id} from request
      join ${apiKeys} on ${apiKeys.hash} = request.hash and ${apiKeys.revokedAt} is null
      left join ${businesses} on ${businesses.id} = coalesce(request.business_id, ${apiKeys.businessId}, (
          select ${organizations.defaultBusinessId} from ${organizations} where ${organizations.id} = ${apiKeys.organizationId}))
        and (${businesses.id} = ${apiKeys.businessId} or ${businesses.organizationId} = ${apiKeys.organizationId}))
  select
    (select ${jsonRow(apiKeys)} from ${apiKeys} where ${apiKeys.id} = served.key_id) as key,
    (select ${jsonRow(businesses)} from ${businesses} where ${businesses.id} = served.business_id) as business,
    (select json_group_array(${jsonRow(locations)}) from (
      select * from ${locations}
      where ${locations.businessId} = served.business_id and ${locations.archivedAt} is null
      order by ${locations.isDefault} desc, ${locations.id}) as ${locations}) as locations,
    (select json_group_array(json_array(${jsonRow(providerAccounts)}, wrapping_key_id, wrapped)) from (
      select * from ${providerAccounts}
      where ${providerAccounts.businessId} = served.business_id
      order by ${providerAccounts.provider}) as ${providerAccounts}
      join ${businessDataKeys} on ${businessDataKeys.businessId} = ${providerAccounts.businessId}) as accounts
  from served`;

let findByRequestText: string | undefined;

/** The query after its parameters. Its text is built once, because it is long and never changes. */
function findByRequest(): SQL {
  findByRequestText ??= new SQLiteSyncDialect().sqlToQuery(findQuery).sql;
  return sql.raw(findByRequestText);
}

function toAuthenticatedKey(found: FoundKey): AuthenticatedKey {
  const business =
    found.business === null ? null : parseJsonRow(businesses, JSON.parse(found.business));
  const locationRows: readonly unknown[][] = JSON.parse(found.locations);
  const accountRows: readonly [unknown[], string, string][] = JSON.parse(found.accounts);
  return {
    key: toApiKey(parseJsonRow(apiKeys, JSON.parse(found.key))),
    business:
      business &&
      toBusiness(
        business,
        locationRows.map((row) => parseJsonRow(locations, row)),
        accountRows.map(([account, wrappingKeyId, wrapped]) => ({
          account: parseJsonRow(providerAccounts, account),
          dataKey: { wrappingKeyId, wrapped },
        })),
      ),
  };
}

/** What authentication reads and writes in CORE. The request's key finds the business. */
export function authenticationRepo(db: Db) {
  return {
    /**
     * Reads a key, the business it serves and that business's locations and accounts, in one
     * statement. A requested business is returned only if the key serves it.
     */
    async findByKey(
      hash: string,
      requestedBusinessId: string | null,
    ): Promise<AuthenticatedKey | null> {
      const [found] = await db.all<FoundKey>(sql`
        with request (hash, business_id) as (values (${hash}, ${requestedBusinessId}))
        ${findByRequest()}`);
      return found ? toAuthenticatedKey(found) : null;
    },

    /** Updates a key's last use at most once an hour. */
    async recordKeyUse(id: string, now: number): Promise<void> {
      await db
        .update(apiKeys)
        .set({ lastUsedAt: now })
        .where(
          and(
            eq(apiKeys.id, id),
            sql`coalesce(${apiKeys.lastUsedAt}, 0) <= ${now - keyUseResolutionMs}`,
          ),
        );
    },
  };
}
