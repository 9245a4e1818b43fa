import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../database/columns.ts";

/**
 * The codes issued within the window of the limits. A contact's newest row is its valid code; older
 * rows only count towards the limits. Ids increase in the order of issue.
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
