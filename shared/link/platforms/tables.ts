import { sql } from "drizzle-orm";
import { check, index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { businesses } from "../../businesses/tables.ts";
import { document, instant, oneOf } from "../../database/columns.ts";
import { linkAccounts } from "../tables.ts";
import { type PlatformTokenKind, platformTokenKinds } from "./grant.ts";

/**
 * What a platform may do for the owner of an account at one business. A grant begins with an
 * authorization code, and lasts while its newest refresh token does.
 */
export const linkPlatformGrants = sqliteTable(
  "link_platform_grants",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id")
      .notNull()
      .references(() => businesses.id),
    accountId: text("account_id")
      .notNull()
      .references(() => linkAccounts.id),
    /** The business's customer who is the account's owner. */
    customerId: text("customer_id").notNull(),
    /** The URL of the client's metadata document. */
    clientId: text("client_id").notNull(),
    clientName: text("client_name").notNull(),
    scopes: document<readonly string[]>("scopes").notNull(),
    redirectUri: text("redirect_uri").notNull(),
    /** The PKCE challenge: the SHA-256 digest of the verifier in base64url. */
    codeChallenge: text("code_challenge").notNull(),
    /** The SHA-256 digest of the authorization code. */
    codeHash: text("code_hash").notNull().unique(),
    codeExpiresAt: instant("code_expires_at").notNull(),
    /** The hash of the refresh token that the code was exchanged for; null before that. */
    codeUsedFor: text("code_used_for"),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (t) => [
    index("link_platform_grants_of_account").on(t.accountId, t.id),
    index("link_platform_grants_of_business").on(t.businessId),
    index("link_platform_grants_by_end").on(t.expiresAt),
  ],
);

/** The tokens of grants. Used refresh tokens stay until they expire, so that a second use is detected. */
export const linkPlatformTokens = sqliteTable(
  "link_platform_tokens",
  {
    /** The SHA-256 digest of the token. The token itself is not stored. */
    hash: text("hash").primaryKey(),
    kind: text("kind").$type<PlatformTokenKind>().notNull(),
    grantId: text("grant_id")
      .notNull()
      .references(() => linkPlatformGrants.id, { onDelete: "cascade" }),
    issuedAt: instant("issued_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** The hash of the refresh token that replaced this one; null while it is the current one. */
    replacedBy: text("replaced_by"),
  },
  (t) => [
    index("link_platform_tokens_of_grant").on(t.grantId),
    index("link_platform_tokens_by_end").on(t.expiresAt),
    check("link_platform_tokens_kind", oneOf(t.kind, platformTokenKinds)),
    check("link_platform_tokens_replaced", sql`replaced_by is null or kind = 'refresh'`),
  ],
);
