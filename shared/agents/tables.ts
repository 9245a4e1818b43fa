import { sql } from "drizzle-orm";
import { check, index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { businesses } from "../businesses/tables.ts";
import { instant } from "../database/columns.ts";

/** The key pairs with which businesses sign what they send to platforms. */
export const agentSigningKeys = sqliteTable(
  "agent_signing_keys",
  {
    /** The thumbprint of the public key (RFC 7638). */
    kid: text("kid").primaryKey(),
    businessId: text("business_id")
      .notNull()
      .references(() => businesses.id),
    publicX: text("public_x").notNull(),
    publicY: text("public_y").notNull(),
    /** Encrypted with the business's data key and bound to the business and the kid. */
    sealedPrivateKey: text("sealed_private_key").notNull(),
    createdAt: instant("created_at").notNull(),
    /** When another key replaced it; null for the one key that signs. */
    retiredAt: instant("retired_at"),
  },
  (t) => [
    uniqueIndex("agent_signing_keys_active").on(t.businessId).where(sql`retired_at is null`),
    index("agent_signing_keys_of_business").on(t.businessId, t.createdAt),
    check("agent_signing_keys_times", sql`retired_at is null or retired_at >= created_at`),
  ],
);
