import { and, type SQL, sql } from "drizzle-orm";
import type { Write } from "../database/index.ts";
import { ruleViolation } from "../kernel/index.ts";
import type { AccountContext } from "./context.ts";
import { linkAddresses, type linkMobileMoney, linkOrderIntents } from "./tables.ts";

/** Addresses per account, and mobile-money accounts per account (docs/contract/link.md#saved-limit). */
export const maxSavedRecords = 50;

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

    /** Whether one more may be saved. */
    isBelowLimit: isBelowLimit(table, sql`${accountId}`),

    /**
     * Clears the old default first, because a unique index allows one. Null leaves no default until
     * one is chosen or the next record is saved.
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

    /** Removing the default makes the most recently used record the default. */
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

/** Records of unfinished enrolments with an order count towards the limit. */
export function isBelowLimit(table: SavedRecordTable, accountId: SQL): SQL {
  const intentColumn = table === linkAddresses ? "address" : "mobile_money";
  return sql`(select count(*) from ${table} where account_id = ${accountId})
    + (select count(*) from ${linkOrderIntents}
      where account_id = ${accountId} and ${sql.raw(intentColumn)} is not null) < ${maxSavedRecords}`;
}

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
