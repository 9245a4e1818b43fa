import type { Address } from "./address.ts";
import { addressRepo, toAddress } from "./address-repo.ts";
import type { AccountContext } from "./context.ts";
import type { MobileMoneyAccount } from "./mobile-money.ts";
import { mobileMoneyRepo, toMobileMoneyAccount } from "./mobile-money-repo.ts";

export type SavedData = Readonly<{
  addresses: readonly Address[];
  mobileMoney: readonly MobileMoneyAccount[];
}>;

/** All saved records of an account, in one round trip. */
export async function loadSavedData(
  ctx: Pick<AccountContext, "db" | "accountId">,
): Promise<SavedData> {
  const [addresses, mobileMoney] = await ctx.db.batch([
    addressRepo(ctx).selectAll(),
    mobileMoneyRepo(ctx).selectAll(),
  ]);
  return {
    addresses: addresses.map(toAddress),
    mobileMoney: mobileMoney.map(toMobileMoneyAccount),
  };
}
