import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../database/columns.ts";

/**
 * The codes issued within the window of the limits. The newest row of a contact and a network is a
 * valid code; older rows only count towards the limits. Ids increase in the order of issue. A row
 * with a redeeming network is kept longer, because it makes that network known to the contact.
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
    /** Those of networks that neither requested the code nor are known to the contact. */
    wrongTriesElsewhere: integer("wrong_tries_elsewhere").notNull().default(0),
    /** The network that redeemed the code, while that makes it known to the contact. */
    redeemedAddressDigest: text("redeemed_address_digest"),
    /** A known network requested the code when others had used up the contact's shared ones. */
    isReserved: integer("is_reserved", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [
    index("one_time_codes_of_contact").on(t.audience, t.contactDigest, t.issuedAt),
    index("one_time_codes_of_address").on(t.audience, t.addressDigest, t.issuedAt),
    index("one_time_codes_by_age").on(t.issuedAt).where(sql`redeemed_address_digest is null`),
    index("one_time_codes_of_known_network")
      .on(t.audience, t.contactDigest, t.redeemedAddressDigest, t.redeemedAt)
      .where(sql`redeemed_address_digest is not null`),
    index("one_time_codes_known_by_age")
      .on(t.redeemedAt)
      .where(sql`redeemed_address_digest is not null`),
    check("one_time_codes_wrong_tries", sql`wrong_tries between 0 and 5`),
  ],
);
