import type { Address } from "./address.ts";
import { addressFromRow, addressRepo } from "./address-repo.ts";
import type { AccountContext } from "./context.ts";
import type { MobileMoneyAccount } from "./mobile-money.ts";
import { mobileMoneyFromRow, mobileMoneyRepo } from "./mobile-money-repo.ts";

/** All that an account has saved, in one round trip (interface.md, GET /data). */
export async function readSaved(
  ctx: Pick<AccountContext, "db" | "accountId">,
): Promise<Readonly<{ addresses: Address[]; mobileMoney: MobileMoneyAccount[] }>> {
  const [addresses, mobileMoney] = await ctx.db.batch([
    addressRepo(ctx).all(),
    mobileMoneyRepo(ctx).all(),
  ]);
  return {
    addresses: addresses.map(addressFromRow),
    mobileMoney: mobileMoney.map(mobileMoneyFromRow),
  };
}
