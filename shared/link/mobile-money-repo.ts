import { type SQL, sql } from "drizzle-orm";
import { notFound } from "../kernel/index.ts";
import type { AccountContext } from "./context.ts";
import type { MobileMoneyAccount, NewMobileMoney } from "./mobile-money.ts";
import { mobileMoneyLimit, savedRecords } from "./saved-record-repo.ts";
import { linkMobileMoney } from "./tables.ts";

const t = linkMobileMoney;

/** An account's mobile-money accounts (interface.md, Link API); each call is one round trip, another's is NOT_FOUND. */
export function mobileMoneyRepo(ctx: Pick<AccountContext, "db" | "accountId">) {
  const { db, accountId } = ctx;
  const records = savedRecords(ctx, t);
  const read = (id: string) => db.select().from(t).where(records.one(id));

  /** A statement for the batch of whoever saves it: only when `condition` holds. */
  const insert = (
    { id, phoneNumber, provider, label }: NewMobileMoney,
    { now, condition, isDefault }: { now: number; condition: SQL; isDefault: SQL },
  ) =>
    db.insert(t).select(sql`
      select ${id}, ${accountId}, ${phoneNumber}, ${provider}, ${label}, ${isDefault}, null, 0, null,
        ${now} where ${condition}`);

  return {
    insert,
    hasDefault: records.hasDefault,

    /** A statement for a batch: in the order in which they were saved. */
    all: () => db.select().from(t).where(records.own).orderBy(t.id),

    async list(): Promise<MobileMoneyAccount[]> {
      const [rows] = await db.batch([this.all()]);
      return rows.map(mobileMoneyFromRow);
    },

    async get(id: string): Promise<MobileMoneyAccount> {
      const [[row]] = await db.batch([read(id)]);
      return found(row);
    },

    /** The first is the default. @throws Refusal MOBILE_MONEY_LIMIT. */
    async add(account: NewMobileMoney, now: number): Promise<MobileMoneyAccount> {
      const terms = { now, condition: records.hasRoom, isDefault: sql`not ${records.hasDefault}` };
      const [, [row]] = await db.batch([insert(account, terms), read(account.id)]);
      if (!row) throw mobileMoneyLimit();
      return mobileMoneyFromRow(row);
    },

    async makeDefault(id: string): Promise<MobileMoneyAccount> {
      const [, , [row]] = await db.batch([...records.makeDefault(id), read(id)]);
      return found(row);
    },

    async countUse(id: string, now: number): Promise<MobileMoneyAccount> {
      const [, [row]] = await db.batch([records.countUse(id, now), read(id)]);
      return found(row);
    },

    /** What the provider said of the number last. */
    async setVerified(id: string, verifiedAt: number | null): Promise<void> {
      await db.batch([db.update(t).set({ verifiedAt }).where(records.one(id))]);
    },

    async remove(id: string): Promise<void> {
      const [asDefault, , removed] = await db.batch(records.remove(id));
      if (asDefault.length + removed.length === 0) throw notFound("mobile-money account");
    },
  };
}

type Row = typeof linkMobileMoney.$inferSelect;

function found(row: Row | undefined): MobileMoneyAccount {
  if (!row) throw notFound("mobile-money account");
  return mobileMoneyFromRow(row);
}

export const mobileMoneyFromRow = ({ accountId: _, ...account }: Row): MobileMoneyAccount =>
  account;
