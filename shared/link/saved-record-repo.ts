import { and, type SQL, sql } from "drizzle-orm";
import type { Write } from "../database/index.ts";
import { ruleViolation } from "../kernel/index.ts";
import type { AccountContext } from "./context.ts";
import { linkAddresses, type linkMobileMoney, linkOrderIntents } from "./tables.ts";

/**
 * The limit of addresses per account, and also of mobile-money accounts per account
 * (docs/contract/link.md#saved-limit).
 */
const maxSavedRecords = 50;

type SavedRecordTable = typeof linkAddresses | typeof linkMobileMoney;

/** Conditions and writes that addresses and mobile-money accounts share. */
export function savedRecordQueries(
  { db, accountId }: Pick<AccountContext, "db" | "accountId">,
  table: SavedRecordTable,
) {
  const own = sql`${table.accountId} = ${accountId}`;
  const withId = (id: string): SQL => sql`${own} and ${table.id} = ${id}`;
  const exists = (condition: SQL): SQL => sql`exists (select 1 from ${table} where ${condition})`;
  const hasDefault = sql`exists (select 1 from ${table} where account_id = ${accountId} and is_default = 1)`;

  return {
    own,
    withId,
    hasDefault,

    /** Whether the account may save one more record. */
    isBelowLimit: isBelowLimit(table, sql`${accountId}`),

    /**
     * Makes a record the default; null clears the default. The old default is cleared first,
     * because a unique index allows one default per account.
     */
    makeDefault: (id: string | null): [Write, Write] => [
      db
        .update(table)
        .set({ isDefault: false })
        .where(
          and(
            own,
            sql`${table.isDefault} = 1 and ${table.id} is not ${id}`,
            id === null ? undefined : exists(withId(id)),
          ),
        ),
      db
        .update(table)
        .set({ isDefault: true })
        .where(withId(id ?? "")),
    ],

    /**
     * Deletes a record. If it was the default, the most recently used record becomes the default.
     */
    remove: (id: string) =>
      [
        db
          .delete(table)
          .where(and(withId(id), sql`${table.isDefault} = 1`))
          .returning({ id: table.id }),
        db
          .update(table)
          .set({ isDefault: true })
          .where(
            sql`${table.id} = (select id from ${table} where account_id = ${accountId}
              order by last_used_at desc nulls last, id desc limit 1) and changes() = 1`,
          ),
        db.delete(table).where(withId(id)).returning({ id: table.id }),
      ] as const,

    countUse: (id: string, now: number): Write =>
      db
        .update(table)
        .set({ usageCount: sql`${table.usageCount} + 1`, lastUsedAt: now })
        .where(withId(id)),
  };
}

/**
 * Whether the account may save one more record. Records that an unfinished enrolment with an order
 * will save count as saved.
 */
export function isBelowLimit(table: SavedRecordTable, accountId: SQL): SQL {
  const intentColumn = table === linkAddresses ? "address" : "mobile_money";
  return sql`(select count(*) from ${table} where account_id = ${accountId})
    + (select count(*) from ${linkOrderIntents}
      where account_id = ${accountId} and ${sql.raw(intentColumn)} is not null) < ${maxSavedRecords}`;
}

/** The refusal of several records at once. */
export const savedLimitRefusal = () =>
  ruleViolation(
    "SAVED_LIMIT",
    `An account saves at most ${maxSavedRecords} addresses and ${maxSavedRecords} mobile-money accounts. Remove one first.`,
    { limit: maxSavedRecords },
  );

export const addressLimitRefusal = () =>
  ruleViolation("ADDRESS_LIMIT", `An account keeps at most ${maxSavedRecords} addresses.`, {
    limit: maxSavedRecords,
  });

export const mobileMoneyLimitRefusal = () =>
  ruleViolation(
    "MOBILE_MONEY_LIMIT",
    `An account keeps at most ${maxSavedRecords} mobile-money accounts.`,
    {
      limit: maxSavedRecords,
    },
  );
