import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { ApiKey, KeyOwner } from "./key.ts";
import { apiKeys } from "./tables.ts";

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

    insert({ owner: _, ...key }: ApiKey, hash: string): Write {
      return db.insert(apiKeys).values({ ...key, ...ownerColumns(owner), hash });
    },

    revoke(id: string, revokedAt: number): Write {
      return db
        .update(apiKeys)
        .set({ revokedAt })
        .where(and(owned, eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
        .returning({ id: apiKeys.id });
    },
  };
}

function isOwnedBy({ type, id }: KeyOwner): SQL {
  switch (type) {
    case "business":
      return eq(apiKeys.businessId, id);
    case "organization":
      return eq(apiKeys.organizationId, id);
  }
}

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
