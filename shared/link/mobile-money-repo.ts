import { type SQL, sql } from "drizzle-orm";
import { notFound } from "../kernel/index.ts";
import type { AccountContext } from "./context.ts";
import type { MobileMoneyAccount, NewMobileMoney } from "./mobile-money.ts";
import { mobileMoneyLimitRefusal, savedRecordQueries } from "./saved-record-repo.ts";
import { linkMobileMoney } from "./tables.ts";

/** An account's mobile-money accounts. Each async method is one round trip. */
export function mobileMoneyRepo(ctx: Pick<AccountContext, "db" | "accountId">) {
  const { db, accountId } = ctx;
  const records = savedRecordQueries(ctx, linkMobileMoney);
  const selectById = (id: string) => db.select().from(linkMobileMoney).where(records.withId(id));

  /** A statement that inserts the mobile-money account if `condition` holds. */
  const insert = (
    { id, phoneNumber, provider, label }: NewMobileMoney,
    { now, condition, isDefault }: { now: number; condition: SQL; isDefault: SQL },
  ) =>
    db.insert(linkMobileMoney).select(sql`
      select ${id}, ${accountId}, ${phoneNumber}, ${provider}, ${label}, ${isDefault}, null, 0, null,
        ${now} where ${condition}`);

  return {
    insert,
    selectById,
    hasDefault: records.hasDefault,

    /** A statement that selects all mobile-money accounts, the oldest first. */
    selectAll: () =>
      db.select().from(linkMobileMoney).where(records.own).orderBy(linkMobileMoney.id),

    async list(): Promise<MobileMoneyAccount[]> {
      const [rows] = await db.batch([this.selectAll()]);
      return rows.map(toMobileMoneyAccount);
    },

    async get(id: string): Promise<MobileMoneyAccount> {
      const [[row]] = await db.batch([selectById(id)]);
      return requireMobileMoney(row);
    },

    /** The first mobile-money account becomes the default. @throws Refusal MOBILE_MONEY_LIMIT. */
    async add(account: NewMobileMoney, now: number): Promise<MobileMoneyAccount> {
      const options = {
        now,
        condition: records.isBelowLimit,
        isDefault: sql`not ${records.hasDefault}`,
      };
      const [, [row]] = await db.batch([insert(account, options), selectById(account.id)]);
      if (!row) throw mobileMoneyLimitRefusal();
      return toMobileMoneyAccount(row);
    },

    async makeDefault(id: string): Promise<MobileMoneyAccount> {
      const [, , [row]] = await db.batch([...records.makeDefault(id), selectById(id)]);
      return requireMobileMoney(row);
    },

    async countUse(id: string, now: number): Promise<MobileMoneyAccount> {
      const [, [row]] = await db.batch([records.countUse(id, now), selectById(id)]);
      return requireMobileMoney(row);
    },

    async setVerified(id: string, verifiedAt: number | null): Promise<void> {
      await db.batch([db.update(linkMobileMoney).set({ verifiedAt }).where(records.withId(id))]);
    },

    async remove(id: string): Promise<void> {
      const [asDefault, , removed] = await db.batch(records.remove(id));
      if (asDefault.length + removed.length === 0) throw notFound("mobile-money account");
    },
  };
}

type MobileMoneyRow = typeof linkMobileMoney.$inferSelect;

function requireMobileMoney(row: MobileMoneyRow | undefined): MobileMoneyAccount {
  if (!row) throw notFound("mobile-money account");
  return toMobileMoneyAccount(row);
}

export const toMobileMoneyAccount = ({
  accountId: _,
  ...account
}: MobileMoneyRow): MobileMoneyAccount => account;
