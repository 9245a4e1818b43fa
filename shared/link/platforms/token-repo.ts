import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../database/index.ts";
import {
  type PlatformGrant,
  platformAccessTtlMs,
  platformRefreshTtlMs,
  type TokenHashes,
} from "./grant.ts";
import { linkPlatformGrants as grants, linkPlatformTokens as tokens } from "./tables.ts";

/** The client that sends a token or a code, and the business at which it does. */
export type PlatformClient = Readonly<{ businessId: string; clientId: string }>;

/** What the authorization request was bound to. The code works with exactly these. */
export type CodeProof = PlatformClient &
  Readonly<{ codeHash: string; redirectUri: string; codeChallenge: string }>;

export const grantColumns = {
  id: grants.id,
  businessId: grants.businessId,
  accountId: grants.accountId,
  customerId: grants.customerId,
  clientId: grants.clientId,
  clientName: grants.clientName,
  scopes: grants.scopes,
  createdAt: grants.createdAt,
  lastUsedAt: grants.lastUsedAt,
  expiresAt: grants.expiresAt,
};

export const isActiveGrant = (now: number) =>
  and(isNull(grants.revokedAt), gt(grants.expiresAt, now));

const isOfClient = ({ businessId, clientId }: PlatformClient) =>
  and(eq(grants.businessId, businessId), eq(grants.clientId, clientId));

/**
 * Exchanges a code for the tokens, in one round trip. Of concurrent calls one succeeds. A code that
 * is used for other tokens a second time may be stolen, so its grant is revoked.
 *
 * @returns null when the code cannot be exchanged.
 */
export async function redeemAuthorizationCode(
  db: Db,
  proof: CodeProof,
  next: TokenHashes,
  now: number,
): Promise<PlatformGrant | null> {
  const { codeHash, redirectUri, codeChallenge } = proof;
  const isCode = and(eq(grants.codeHash, codeHash), eq(grants.businessId, proof.businessId));
  const isUsedForThese = eq(grants.codeUsedFor, next.refresh);
  const grantId = sql`(select id from ${grants} where ${isUsedForThese} and code_hash = ${codeHash})`;
  const [, , , , grant] = await db.batch([
    db
      .update(grants)
      .set({ codeUsedFor: next.refresh, expiresAt: now + platformRefreshTtlMs, lastUsedAt: now })
      .where(
        and(
          isCode,
          isOfClient(proof),
          eq(grants.redirectUri, redirectUri),
          eq(grants.codeChallenge, codeChallenge),
          isNull(grants.codeUsedFor),
          isNull(grants.revokedAt),
          gt(grants.codeExpiresAt, now),
        ),
      ),
    ...insertTokens(db, { grantId, next, now }),
    db
      .update(grants)
      .set({ revokedAt: now })
      .where(
        and(
          isCode,
          isNull(grants.revokedAt),
          sql`${grants.codeUsedFor} <> ${next.refresh} or exists (select 1 from ${tokens}
            where hash = ${next.refresh} and replaced_by is not null)`,
        ),
      ),
    db
      .select(grantColumns)
      .from(grants)
      .where(and(isCode, isOfClient(proof), isUsedForThese, isActiveGrant(now))),
  ]);
  return grant[0] ?? null;
}

/**
 * Replaces the refresh token `used`, in one round trip. A repeat for the same tokens is allowed until
 * the next one is used. Any other second use revokes the grant (docs/agents.md#tokens).
 *
 * @returns null when the token cannot be replaced.
 */
export async function rotatePlatformToken(
  db: Db,
  { used, ...client }: PlatformClient & Readonly<{ used: string }>,
  next: TokenHashes,
  now: number,
): Promise<PlatformGrant | null> {
  const grantOfUsed = sql`(select grant_id from ${tokens} where hash = ${used} and kind = 'refresh')`;
  const isGrantOfUsed = and(sql`${grants.id} = ${grantOfUsed}`, isOfClient(client));
  const grantId = sql`(select grant_id from ${tokens} where hash = ${used} and replaced_by = ${next.refresh})`;
  const [, , , , , grant] = await db.batch([
    db
      .update(tokens)
      .set({ replacedBy: next.refresh })
      .where(
        and(
          eq(tokens.hash, used),
          eq(tokens.kind, "refresh"),
          isNull(tokens.replacedBy),
          gt(tokens.expiresAt, now),
          sql`exists (select 1 from ${grants} where ${isGrantOfUsed} and ${isActiveGrant(now)})`,
        ),
      ),
    ...insertTokens(db, { grantId, next, now }),
    db
      .update(grants)
      .set({ revokedAt: now })
      .where(
        and(
          isGrantOfUsed,
          isNull(grants.revokedAt),
          sql`exists (select 1 from ${tokens} as old where old.hash = ${used}
            and old.replaced_by is not null and (old.replaced_by <> ${next.refresh} or exists (
              select 1 from ${tokens} as later
              where later.hash = old.replaced_by and later.replaced_by is not null)))`,
        ),
      ),
    db
      .update(grants)
      .set({
        lastUsedAt: now,
        expiresAt: sql`(select expires_at from ${tokens} where hash = ${next.refresh})`,
      })
      .where(and(isGrantOfUsed, isActiveGrant(now), sql`${grants.id} = ${grantId}`)),
    db
      .select(grantColumns)
      .from(grants)
      .where(and(isGrantOfUsed, isActiveGrant(now), sql`${grants.id} = ${grantId}`)),
  ]);
  return grant[0] ?? null;
}

type NewTokens = Readonly<{ grantId: SQL; next: TokenHashes; now: number }>;

/** Inserts the tokens when `grantId` finds a grant. A repeat leaves those that exist. */
const insertTokens = (db: Db, { grantId, next, now }: NewTokens) => {
  const insert = (kind: "access" | "refresh", ttlMs: number) =>
    db
      .insert(tokens)
      .select(
        sql`select ${next[kind]}, ${kind}, id, ${now}, ${now + ttlMs}, null from ${grants}
          where id = ${grantId}`,
      )
      .onConflictDoNothing();
  return [insert("refresh", platformRefreshTtlMs), insert("access", platformAccessTtlMs)] as const;
};
