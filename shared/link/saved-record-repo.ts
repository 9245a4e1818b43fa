import { and, type SQL, sql } from "drizzle-orm";
import type { Write } from "../database/index.ts";
import { ruleBroken } from "../kernel/index.ts";
import type { AccountContext } from "./context.ts";
import { linkAddresses, type linkMobileMoney, linkOrderIntents } from "./tables.ts";

/** completions.md 13: of addresses, and of mobile-money accounts. */
export const maxSaved = 50;

type Table = typeof linkAddresses | typeof linkMobileMoney;

/** What an account's addresses and its mobile-money accounts have in common: one is the default. */
export function savedRecords(
  { db, accountId }: Pick<AccountContext, "db" | "accountId">,
  table: Table,
) {
  const own = sql`${table.accountId} = ${accountId}`;
  const one = (id: string): SQL => sql`${own} and ${table.id} = ${id}`;
  const exists = (condition: SQL): SQL => sql`exists (select 1 from ${table} where ${condition})`;
  const hasDefault = sql`exists (select 1 from ${table} where account_id = ${accountId} and is_default = 1)`;

  return {
    own,
    one,
    hasDefault,

    /** Whether there is room for one more, those under way with an order counted. */
    hasRoom: roomFor(table, sql`${accountId}`),

    /**
     * The earlier default goes before the new one comes: there is never more than one. Null: none is,
     * until one is chosen or the next is saved.
     */
    makeDefault: (id: string | null): [Write, Write] => [
      db
        .update(table)
        .set({ isDefault: false })
        .where(
          and(
            own,
            sql`${table.isDefault} = 1 and ${table.id} is not ${id}`,
            id === null ? undefined : exists(one(id)),
          ),
        ),
      db
        .update(table)
        .set({ isDefault: true })
        .where(one(id ?? "")),
    ],

    /** A default that goes hands over to the one that was used last; one that is none changes no default. */
    remove: (id: string) =>
      [
        db
          .delete(table)
          .where(and(one(id), sql`${table.isDefault} = 1`))
          .returning({ id: table.id }),
        db
          .update(table)
          .set({ isDefault: true })
          .where(
            sql`${table.id} = (select id from ${table} where account_id = ${accountId}
              order by last_used_at desc nulls last, id desc limit 1) and changes() = 1`,
          ),
        db.delete(table).where(one(id)).returning({ id: table.id }),
      ] as const,

    countUse: (id: string, now: number): Write =>
      db
        .update(table)
        .set({ usageCount: sql`${table.usageCount} + 1`, lastUsedAt: now })
        .where(one(id)),
  };
}

/** An order's enrolment that is under way has its room already. */
export function roomFor(table: Table, accountId: SQL): SQL {
  const waiting = table === linkAddresses ? "address" : "mobile_money";
  return sql`(select count(*) from ${table} where account_id = ${accountId})
    + (select count(*) from ${linkOrderIntents}
      where account_id = ${accountId} and ${sql.raw(waiting)} is not null) < ${maxSaved}`;
}

export const addressLimit = () =>
  ruleBroken("ADDRESS_LIMIT", `An account keeps at most ${maxSaved} addresses.`, {
    limit: maxSaved,
  });

export const mobileMoneyLimit = () =>
  ruleBroken("MOBILE_MONEY_LIMIT", `An account keeps at most ${maxSaved} mobile-money accounts.`, {
    limit: maxSaved,
  });
