import { and, eq, sql } from "drizzle-orm";
import { notFound } from "../kernel/index.ts";
import type { OrderType } from "../orders/index.ts";
import type { AccountContext } from "./context.ts";
import { type Preferences, toPreferences } from "./preferences.ts";
import { savedRecordQueries } from "./saved-record-repo.ts";
import { linkAccounts, linkAddresses } from "./tables.ts";

/** A change to preferences. Undefined fields keep their value, null clears them. */
export type PreferencesPatch = Readonly<{
  preferredOrderType?: OrderType | null | undefined;
  defaultAddressId?: string | null | undefined;
  notifyOnOrder?: boolean | undefined;
}>;

/** An account's preferences. Each method is one round trip. */
export function preferencesRepo(ctx: Pick<AccountContext, "db" | "accountId">) {
  const { db, accountId } = ctx;
  const addresses = savedRecordQueries(ctx, linkAddresses);
  const isOwn = eq(linkAccounts.id, accountId);
  const queries = () =>
    [
      db.select().from(linkAccounts).where(isOwn),
      db
        .select({ id: linkAddresses.id })
        .from(linkAddresses)
        .where(and(addresses.own, sql`is_default = 1`)),
    ] as const;

  return {
    async get(): Promise<Preferences> {
      const [[account], [address]] = await db.batch(queries());
      if (!account) throw notFound("account");
      return toPreferences(account, address?.id ?? null);
    },

    /**
     * @throws Refusal NOT_FOUND, without any change, when the address belongs to another account.
     */
    async update(
      { defaultAddressId, ...patch }: PreferencesPatch,
      now: number,
    ): Promise<Preferences> {
      const ownsAddress =
        defaultAddressId === undefined || defaultAddressId === null
          ? undefined
          : sql`exists (select 1 from ${linkAddresses} as target
              where target.account_id = ${accountId} and target.id = ${defaultAddressId})`;
      const [, , [changed], [account], [address]] = await db.batch([
        ...addresses.makeDefault(defaultAddressId === undefined ? "" : defaultAddressId),
        db
          .update(linkAccounts)
          .set({ ...patch, preferencesUpdatedAt: now })
          .where(and(isOwn, ownsAddress))
          .returning({ id: linkAccounts.id }),
        ...queries(),
      ]);
      if (!changed || !account) throw notFound("address");
      return toPreferences(account, address?.id ?? null);
    },
  };
}
