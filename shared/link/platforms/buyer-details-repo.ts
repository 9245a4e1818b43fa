import { and, eq } from "drizzle-orm";
import type { Db } from "../../database/index.ts";
import type { Address } from "../address.ts";
import { toAddress } from "../address-repo.ts";
import { verifiedContact } from "../contacts/contact.ts";
import { linkAccounts, linkAddresses, linkContacts } from "../tables.ts";

/** What an account knows of its owner, with which a linked buyer's checkout begins. */
export type BuyerDetails = Readonly<{
  name: string | null;
  email: string | null;
  phone: string | null;
  /** The default address; null when there is none. */
  address: Address | null;
}>;

/** Reads what the account knows of its owner, in one round trip. */
export async function loadBuyerDetails(db: Db, accountId: string): Promise<BuyerDetails> {
  const [[account], contacts, [address]] = await db.batch([
    db.select({ name: linkAccounts.name }).from(linkAccounts).where(eq(linkAccounts.id, accountId)),
    db
      .select({
        id: linkContacts.id,
        type: linkContacts.type,
        value: linkContacts.value,
        verifiedAt: linkContacts.verifiedAt,
        createdAt: linkContacts.createdAt,
      })
      .from(linkContacts)
      .where(eq(linkContacts.accountId, accountId))
      .orderBy(linkContacts.createdAt),
    db
      .select()
      .from(linkAddresses)
      .where(and(eq(linkAddresses.accountId, accountId), eq(linkAddresses.isDefault, true))),
  ]);
  return {
    name: account?.name ?? null,
    email: verifiedContact(contacts, "email"),
    phone: verifiedContact(contacts, "phone"),
    address: address ? toAddress(address) : null,
  };
}
