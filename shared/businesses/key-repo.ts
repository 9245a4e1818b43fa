import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { ApiKey, KeyOwner } from "./key.ts";
import { apiKeys } from "./tables.ts";

/** Keys as their owner sees them: an organization's are none of its businesses' to see or revoke, nor theirs its own. */
export function keyRepo(db: Db, owner: KeyOwner) {
  const owned = ofOwner(owner);

  return {
    /** Newest first, the revoked ones too; `before` is the id of the last one seen. */
    async list({ limit, before }: { limit: number; before: string | null }): Promise<ApiKey[]> {
      const rows = await db
        .select()
        .from(apiKeys)
        .where(and(owned, before === null ? undefined : sql`${apiKeys.id} < ${before}`))
        .orderBy(desc(apiKeys.id))
        .limit(limit);
      return rows.map(keyFromRow);
    },

    /** @throws Refusal NOT_FOUND, for another owner's too. */
    async get(id: string): Promise<ApiKey> {
      const [row] = await db
        .select()
        .from(apiKeys)
        .where(and(owned, eq(apiKeys.id, id)));
      if (!row) throw notFound("key");
      return keyFromRow(row);
    },

    insert({ owner: _, ...key }: ApiKey, hash: string): Write {
      return db.insert(apiKeys).values({ ...key, ...columnsOf(owner), hash });
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

function ofOwner({ type, id }: KeyOwner): SQL {
  switch (type) {
    case "business":
      return eq(apiKeys.businessId, id);
    case "organization":
      return eq(apiKeys.organizationId, id);
  }
}

type KeyRow = typeof apiKeys.$inferSelect;
type OwnerColumns = Pick<KeyRow, "businessId" | "organizationId">;

const columnsOf = ({ type, id }: KeyOwner): OwnerColumns => ({
  businessId: type === "business" ? id : null,
  organizationId: type === "organization" ? id : null,
});

export const keyFromRow = ({ hash: _, businessId, organizationId, ...key }: KeyRow): ApiKey => ({
  ...key,
  owner: ownerFrom({ businessId, organizationId }),
});

function ownerFrom({ businessId, organizationId }: OwnerColumns): KeyOwner {
  if (businessId !== null) return { type: "business", id: businessId };
  if (organizationId !== null) return { type: "organization", id: organizationId };
  throw new Error("A key has no owner, which api_keys_one_owner forbids.");
}
