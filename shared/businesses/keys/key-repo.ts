import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { apiKeys } from "../tables.ts";
import { type ApiKey, type KeyOwner, keyManagementScope } from "./key.ts";

/** A key, and whether its owner has another active key that can manage keys. */
type KeyBesideManager = Readonly<{ key: ApiKey; hasOtherManager: boolean }>;

/**
 * The keys of one owner. Keys of a business and keys of its organization are separate: neither
 * owner can see or revoke the keys of the other.
 */
export function keyRepo(db: Db, owner: KeyOwner) {
  const owned = isOwnedBy(owner);

  return {
    /**
     * Lists keys newest first, including revoked ones. `before` is the last id of the previous
     * page.
     */
    async list({ limit, before }: { limit: number; before: string | null }): Promise<ApiKey[]> {
      const rows = await db
        .select()
        .from(apiKeys)
        .where(and(owned, before === null ? undefined : sql`${apiKeys.id} < ${before}`))
        .orderBy(desc(apiKeys.id))
        .limit(limit);
      return rows.map(toApiKey);
    },

    /**
     * Reads a key of this owner.
     * @throws Refusal NOT_FOUND, also for another owner's key.
     */
    async get(id: string): Promise<ApiKey> {
      const [row] = await db
        .select()
        .from(apiKeys)
        .where(and(owned, eq(apiKeys.id, id)));
      if (!row) throw notFound("key");
      return toApiKey(row);
    },

    /** As `get`, for a revocation. @throws Refusal NOT_FOUND. */
    async getBesideManager(id: string): Promise<KeyBesideManager> {
      const [row] = await db
        .select({ key: apiKeys, others: sql<number>`(${otherManagers(id)})` })
        .from(apiKeys)
        .where(and(owned, eq(apiKeys.id, id)));
      if (!row) throw notFound("key");
      return { key: toApiKey(row.key), hasOtherManager: row.others > 0 };
    },

    insert({ owner: _, ...key }: ApiKey, hash: string): Write {
      return db.insert(apiKeys).values({ ...key, ...ownerColumns(owner), hash });
    },

    /**
     * Revokes an active key. Updates no row when the key must leave another one that can manage keys
     * and there is none, so that two concurrent revocations do not revoke both.
     */
    revoke(
      id: string,
      { revokedAt, mustLeaveManager }: Readonly<{ revokedAt: number; mustLeaveManager: boolean }>,
    ): Write {
      const leavesManager = mustLeaveManager ? sql`(${otherManagers(id)}) > 0` : undefined;
      return db
        .update(apiKeys)
        .set({ revokedAt })
        .where(and(owned, eq(apiKeys.id, id), isNull(apiKeys.revokedAt), leavesManager))
        .returning({ id: apiKeys.id });
    },
  };

  /** A query for the number of the owner's other active keys that can manage keys. */
  function otherManagers(id: string): SQL {
    return sql`select count(*) from ${apiKeys} as other
      where other.${sql.identifier(ownerColumn(owner).name)} = ${owner.id} and other.id <> ${id}
        and other.kind = 'secret' and other.revoked_at is null
        and exists (select 1 from json_each(other.scopes)
          where value in ('*', ${keyManagementScope}))`;
  }
}

const ownerColumn = ({ type }: KeyOwner) =>
  type === "business" ? apiKeys.businessId : apiKeys.organizationId;

const isOwnedBy = (owner: KeyOwner): SQL => eq(ownerColumn(owner), owner.id);

type KeyRow = typeof apiKeys.$inferSelect;
type OwnerColumns = Pick<KeyRow, "businessId" | "organizationId">;

const ownerColumns = ({ type, id }: KeyOwner): OwnerColumns => ({
  businessId: type === "business" ? id : null,
  organizationId: type === "organization" ? id : null,
});

export const toApiKey = ({ hash: _, businessId, organizationId, ...key }: KeyRow): ApiKey => ({
  ...key,
  owner: toKeyOwner({ businessId, organizationId }),
});

function toKeyOwner({ businessId, organizationId }: OwnerColumns): KeyOwner {
  if (businessId !== null) return { type: "business", id: businessId };
  if (organizationId !== null) return { type: "organization", id: organizationId };
  throw new Error("A key has no owner, which api_keys_one_owner forbids.");
}
