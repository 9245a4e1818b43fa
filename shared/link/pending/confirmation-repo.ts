import { type SQL, sql } from "drizzle-orm";
import { notFound } from "../../kernel/index.ts";
import type { Address } from "../address.ts";
import { addressRepo, toAddress } from "../address-repo.ts";
import type { AccountContext } from "../context.ts";
import type { MobileMoneyAccount } from "../mobile-money.ts";
import { mobileMoneyRepo, toMobileMoneyAccount } from "../mobile-money-repo.ts";
import { isBelowLimit, savedLimitRefusal } from "../saved-record-repo.ts";
import {
  linkAccounts,
  linkAddresses,
  linkMobileMoney,
  linkPendingDetails as pending,
} from "../tables.ts";
import { isOpenFor, settledDetails } from "./pending-details-repo.ts";

/** What the account's owner has saved; null for what the details did not contain. */
export type ConfirmedDetails = Readonly<{
  address: Address | null;
  mobileMoney: MobileMoneyAccount | null;
}>;

/**
 * Saves waiting details in the account of their contact, as if its owner had entered them
 * (docs/contract/link.md#pending-confirm). All or nothing, in one round trip.
 *
 * @throws Refusal NOT_FOUND, SAVED_LIMIT.
 */
export async function confirmPendingDetails(
  ctx: AccountContext,
  id: string,
): Promise<ConfirmedDetails> {
  const { db, accountId } = ctx;
  const now = ctx.now();
  const [addresses, mobileMoney] = [addressRepo(ctx), mobileMoneyRepo(ctx)];
  const [addressId, mobileMoneyId] = [ctx.newId("addr"), ctx.newId("mm")];
  const isOpen = isOpenFor(accountId, id, now);
  const own = sql`${accountId}`;
  const hasRoom = sql`(${pending.address} is null or ${isBelowLimit(linkAddresses, own)})
    and (${pending.mobileMoney} is null or ${isBelowLimit(linkMobileMoney, own)})`;
  const isAddressSaved = sql`(${pending.address} is null or exists (select 1 from ${linkAddresses} where id = ${addressId}))`;
  const isAllSaved = sql`${isAddressSaved} and (${pending.mobileMoney} is null
    or exists (select 1 from ${linkMobileMoney} where id = ${mobileMoneyId}))`;
  const field = (column: SQL | typeof pending.address | typeof pending.mobileMoney, name: string) =>
    sql`json_extract(${column}, ${`$.${name}`})`;
  const addressField = (name: string) => field(pending.address, name);
  const mobileMoneyField = (name: string) => field(pending.mobileMoney, name);
  const waiting = (column: typeof pending.name | typeof pending.orderType) =>
    sql`(select ${column} from ${pending} where ${isOpen})`;

  const [, , , settled, [stillOpen], [savedAddress], [savedMobileMoney]] = await db.batch([
    db.insert(linkAddresses).select(sql`
      select ${addressId}, ${accountId}, ${addressField("label")}, ${addressField("streetAddress")},
        ${addressField("apartment")}, ${addressField("city")}, ${addressField("region")},
        ${addressField("country")}, not ${addresses.hasDefault}, 0, null, ${now}, ${now}
      from ${pending} where ${isOpen} and ${pending.address} is not null and ${hasRoom}`),
    db.insert(linkMobileMoney).select(sql`
      select ${mobileMoneyId}, ${accountId}, ${mobileMoneyField("phoneNumber")},
        ${mobileMoneyField("provider")}, ${mobileMoneyField("label")}, not ${mobileMoney.hasDefault},
        null, 0, null, ${now}
      from ${pending} where ${isOpen} and ${pending.mobileMoney} is not null and ${isAddressSaved}
        and ${isBelowLimit(linkMobileMoney, own)}`),
    db
      .update(linkAccounts)
      .set({
        name: sql`coalesce(${waiting(pending.name)}, ${linkAccounts.name})`,
        preferredOrderType: sql`coalesce(${linkAccounts.preferredOrderType}, ${waiting(pending.orderType)})`,
      })
      .where(
        sql`${linkAccounts.id} = ${accountId}
          and exists (select 1 from ${pending} where ${isOpen} and ${isAllSaved})`,
      ),
    db
      .update(pending)
      .set(settledDetails(now))
      .where(sql`${isOpen} and ${isAllSaved}`)
      .returning({ id: pending.id }),
    db.select({ id: pending.id }).from(pending).where(isOpen),
    addresses.selectById(addressId),
    mobileMoney.selectById(mobileMoneyId),
  ]);
  if (stillOpen) throw savedLimitRefusal();
  if (settled.length === 0) throw notFound("pending details");
  return {
    address: savedAddress ? toAddress(savedAddress) : null,
    mobileMoney: savedMobileMoney ? toMobileMoneyAccount(savedMobileMoney) : null,
  };
}
