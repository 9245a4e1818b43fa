import { and, eq, sql } from "drizzle-orm";
import { notFound } from "../kernel/index.ts";
import type { OrderType } from "../orders/index.ts";
import type { AccountContext } from "./context.ts";
import { type Preferences, preferencesOf } from "./preferences.ts";
import { savedRecords } from "./saved-record-repo.ts";
import { linkAccounts, linkAddresses } from "./tables.ts";

/** What preferences are changed to; undefined leaves one as it is, null is none. */
export type PreferencesPatch = Readonly<{
  preferredOrderType?: OrderType | null | undefined;
  defaultAddressId?: string | null | undefined;
  notifyOnOrder?: boolean | undefined;
}>;

/** An account's preferences; each call is one round trip. */
export function preferencesRepo(ctx: Pick<AccountContext, "db" | "accountId">) {
  const { db, accountId } = ctx;
  const addresses = savedRecords(ctx, linkAddresses);
  const own = eq(linkAccounts.id, accountId);
  const read = () =>
    [
      db.select().from(linkAccounts).where(own),
      db
        .select({ id: linkAddresses.id })
        .from(linkAddresses)
        .where(and(addresses.own, sql`is_default = 1`)),
    ] as const;

  return {
    async get(): Promise<Preferences> {
      const [[account], [address]] = await db.batch(read());
      if (!account) throw notFound("account");
      return preferencesOf(account, address?.id ?? null);
    },

    /** Changes all or, for an address that is not the account's, nothing. @throws Refusal NOT_FOUND. */
    async update(
      { defaultAddressId, ...patch }: PreferencesPatch,
      now: number,
    ): Promise<Preferences> {
      const mayChange =
        defaultAddressId === undefined || defaultAddressId === null
          ? undefined
          : sql`exists (select 1 from ${linkAddresses} as target
              where target.account_id = ${accountId} and target.id = ${defaultAddressId})`;
      const [, , [changed], [account], [address]] = await db.batch([
        ...addresses.makeDefault(defaultAddressId === undefined ? "" : defaultAddressId),
        db
          .update(linkAccounts)
          .set({ ...patch, preferencesUpdatedAt: now })
          .where(and(own, mayChange))
          .returning({ id: linkAccounts.id }),
        ...read(),
      ]);
      if (!changed || !account) throw notFound("address");
      return preferencesOf(account, address?.id ?? null);
    },
  };
}
