import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { businesses } from "../businesses/tables.ts";
import { document, flag, instant, oneOf } from "../database/columns.ts";
import { type Role, roles } from "./role.ts";

/** The logins of the console. One login may serve many businesses. */
export const users = sqliteTable("users", {
  id: text("id").primaryKey(),
  email: text("email").notNull().unique(),
  name: text("name"),
  /** Whether the login may make the operator's calls. */
  isOperator: flag("is_operator").notNull().default(false),
  createdAt: instant("created_at").notNull(),
});

/** Who works for a business. A row without a user is an invitation. */
export const members = sqliteTable(
  "members",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id")
      .notNull()
      .references(() => businesses.id),
    email: text("email").notNull(),
    name: text("name"),
    role: text("role").$type<Role>().notNull(),
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    invitedAt: instant("invited_at").notNull(),
    expiresAt: instant("expires_at"),
    acceptedAt: instant("accepted_at"),
  },
  (t) => [
    uniqueIndex("members_of_business").on(t.businessId, t.email),
    index("members_of_user").on(t.userId),
    index("members_invited").on(t.email).where(sql`user_id is null`),
    check("members_role", oneOf(t.role, roles)),
    check("members_accepted", sql`(user_id is null) = (accepted_at is null)`),
  ],
);

export const consoleSessions = sqliteTable(
  "console_sessions",
  {
    /** SHA-256 of the cookie's token, which is not stored. */
    tokenHash: text("token_hash").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [
    index("console_sessions_of_user").on(t.userId),
    index("console_sessions_by_expiry").on(t.expiresAt),
  ],
);

export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The authenticator's name of the key, in base64url. */
    credentialId: text("credential_id").notNull().unique(),
    /** In COSE, as base64url. */
    publicKey: text("public_key").notNull(),
    /** The signatures that the authenticator says it has made; 0 for one that does not count. */
    counter: integer("counter").notNull(),
    transports: document<readonly string[]>("transports").notNull(),
    name: text("name").notNull(),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at"),
  },
  (t) => [index("passkeys_of_user").on(t.userId, t.id)],
);

/** The challenges that wait for an authenticator's answer. Each is deleted by the first answer. */
export const passkeyChallenges = sqliteTable(
  "passkey_challenges",
  {
    /** SHA-256 of the challenge. */
    hash: text("hash").primaryKey(),
    /** The user who registers a passkey; null for a login. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [
    index("passkey_challenges_of_user").on(t.userId),
    index("passkey_challenges_by_expiry").on(t.expiresAt),
  ],
);
