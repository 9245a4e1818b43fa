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

/** A row that the query returns, as JSON text. */
type KeyQueryRow = Readonly<{ part: "key" | "business" | "location" | "account"; row: string }>;

/**
 * The common table expressions after `request`, and the query. Each record is a row of its own,
 * because D1 limits a row to 2 MB. The default location comes first.
 */
const keyQuery = sql`
  , served (key_id, business_id) as (
    select ${apiKeys.id}, ${businesses.id} from request
      join ${apiKeys} on ${apiKeys.hash} = request.hash and ${apiKeys.revokedAt} is null
      left join ${businesses} on ${businesses.id} = coalesce(request.business_id, ${apiKeys.businessId}, (
          select ${organizations.defaultBusinessId} from ${organizations} where ${organizations.id} = ${apiKeys.organizationId}))
        and (${businesses.id} = ${apiKeys.businessId} or ${businesses.organizationId} = ${apiKeys.organizationId}))
  select 'key' as part, ${jsonRow(apiKeys)} as row, 0 as rank, '' as name
    from served join ${apiKeys} on ${apiKeys.id} = served.key_id
  union all
  select 'business', ${jsonRow(businesses)}, 0, ''
    from served join ${businesses} on ${businesses.id} = served.business_id
  union all
  select 'location', ${jsonRow(locations)}, not ${locations.isDefault}, ${locations.id}
    from served join ${locations} on ${locations.businessId} = served.business_id
      and ${locations.archivedAt} is null
  union all
  select 'account', json_array(${jsonRow(providerAccounts)}, wrapping_key_id, wrapped), 0, ${providerAccounts.provider}
    from served join ${providerAccounts} on ${providerAccounts.businessId} = served.business_id
      join ${businessDataKeys} on ${businessDataKeys.businessId} = ${providerAccounts.businessId}
  order by rank, name`;

let keyQueryText: string | undefined;

/** The query without `request`, which has all parameters. It is built once, because that is slow. */
function keyQueryAsText(): SQL {
  keyQueryText ??= new SQLiteSyncDialect().sqlToQuery(keyQuery).sql;
  return sql.raw(keyQueryText);
}

function toAuthenticatedKey(rows: readonly KeyQueryRow[]): AuthenticatedKey | null {
  const valuesOf = (part: KeyQueryRow["part"]): unknown[][] =>
    rows.filter((row) => row.part === part).map(({ row }) => JSON.parse(row));
  const [key] = valuesOf("key");
  const [business] = valuesOf("business");
  if (!key) return null;
  return {
    key: toApiKey(parseJsonRow(apiKeys, key)),
    business: business
      ? toBusiness(
          parseJsonRow(businesses, business),
          valuesOf("location").map((row) => parseJsonRow(locations, row)),
          valuesOf("account").map(toAccountWithDataKey),
        )
      : null,
  };
}

function toAccountWithDataKey([account, wrappingKeyId, wrapped]: readonly unknown[]) {
  if (!Array.isArray(account)) throw new Error("A provider account is not a row.");
  return {
    account: parseJsonRow(providerAccounts, account),
    dataKey: { wrappingKeyId: String(wrappingKeyId), wrapped: String(wrapped) },
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
      const rows = await db.all<KeyQueryRow>(sql`
        with request (hash, business_id) as (values (${hash}, ${requestedBusinessId}))
        ${keyQueryAsText()}`);
      return toAuthenticatedKey(rows);
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
