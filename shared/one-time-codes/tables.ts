import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../database/columns.ts";

/**
 * Every code issued within the limits' window. A contact's newest row is its code; the older rows
 * only count towards the limits. Ids grow in the order of issue.
 */
export const oneTimeCodes = sqliteTable(
  "one_time_codes",
  {
    id: integer("id").primaryKey(),
    audience: text("audience").notNull(),
    contactDigest: text("contact_digest").notNull(),
    addressDigest: text("address_digest").notNull(),
    codeDigest: text("code_digest").notNull(),
    wrongTries: integer("wrong_tries").notNull(),
    issuedAt: instant("issued_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    redeemedAt: instant("redeemed_at"),
  },
  (t) => [
    index("one_time_codes_of_contact").on(t.audience, t.contactDigest, t.id),
    index("one_time_codes_of_address").on(t.audience, t.addressDigest, t.id),
    index("one_time_codes_by_age").on(t.issuedAt),
    check("one_time_codes_wrong_tries", sql`wrong_tries between 0 and 5`),
  ],
);
