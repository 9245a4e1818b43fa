import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../database/index.ts";
import type { Business } from "../business.ts";
import { accountsQuery } from "../provider-accounts/account-repo.ts";
import { activeLocationsQuery, toBusiness } from "../repo.ts";
import { apiKeys, businesses, locations, organizations, providerAccounts } from "../tables.ts";
import { type ApiKey, keyUseResolutionMs } from "./key.ts";
import { toApiKey } from "./key-repo.ts";

/** A key and the business that it serves in this request. */
export type AuthenticatedKey = Readonly<{ key: ApiKey; business: Business | null }>;

/** What authentication reads and writes in CORE. The request's key finds the business. */
export function authenticationRepo(db: Db) {
  return {
    /**
     * Reads a key, the business it serves and that business's locations, in one round trip. A
     * requested business is returned only if the key serves it.
     */
    async findByKey(
      hash: string,
      requestedBusinessId: string | null,
    ): Promise<AuthenticatedKey | null> {
      const requestedIdQuery = sql`coalesce(${requestedBusinessId}, ${apiKeys.businessId}, (
        select ${organizations.defaultBusinessId} from ${organizations} where ${organizations.id} = ${apiKeys.organizationId}))`;
      const servedIdQuery = sql`(
        select ${businesses.id} from ${businesses}, ${apiKeys}
        where ${apiKeys.hash} = ${hash} and ${apiKeys.revokedAt} is null and ${businesses.id} = ${requestedIdQuery}
          and (${businesses.id} = ${apiKeys.businessId} or ${businesses.organizationId} = ${apiKeys.organizationId}))`;
      const [keys, rows, locationRows, accountRows] = await db.batch([
        db
          .select()
          .from(apiKeys)
          .where(and(eq(apiKeys.hash, hash), isNull(apiKeys.revokedAt))),
        db.select().from(businesses).where(sql`${businesses.id} = ${servedIdQuery}`),
        activeLocationsQuery(db, sql`${locations.businessId} = ${servedIdQuery}`),
        accountsQuery(db, sql`${providerAccounts.businessId} = ${servedIdQuery}`),
      ]);
      const [key] = keys;
      if (!key) return null;
      return {
        key: toApiKey(key),
        business: rows[0] ? toBusiness(rows[0], locationRows, accountRows) : null,
      };
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
