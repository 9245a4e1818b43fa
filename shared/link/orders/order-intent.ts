import type { Contact } from "../../customers/index.ts";
import { notFound } from "../../kernel/index.ts";
import type { Order, OrderType } from "../../orders/index.ts";
import { hasVerified } from "../account.ts";
import type { AddressFields, NewAddress } from "../address.ts";
import type { NewMobileMoney } from "../mobile-money.ts";
import type { ActiveLinkSession } from "../session.ts";

/** The records that are saved together with an enrolment. */
export type SavedWithOrder = Readonly<{
  address: AddressFields | null;
  mobileMoney: Omit<NewMobileMoney, "id"> | null;
  orderType: OrderType | null;
}>;

/** An unfinished enrolment with an order, with everything that it is to write. */
export type OrderIntent = Readonly<{
  id: string;
  orderId: string;
  businessId: string;
  accountId: string;
  /** The contact of the order that the account has; null without one. */
  contact: Contact | null;
  /** Whether the caller is the account's owner, not a holder of the order's bill_token. */
  isByOwner: boolean;
  address: NewAddress | null;
  mobileMoney: NewMobileMoney | null;
  orderType: OrderType | null;
}>;

const contactsOf = ({ customerPhone, customerEmail }: OrderContacts): Contact[] => [
  ...(customerPhone === null ? [] : [{ type: "phone" as const, value: customerPhone }]),
  ...(customerEmail === null ? [] : [{ type: "email" as const, value: customerEmail }]),
];

type OrderContacts = Pick<Order, "customerPhone" | "customerEmail">;

/** Whether the order has the contact; after an erasure it has none. */
export const hasContact = (order: OrderContacts, { type, value }: Contact): boolean =>
  contactsOf(order).some((contact) => contact.type === type && contact.value === value);

/**
 * The contact by which an order is linked (docs/contract/link.md#link-order-access): one that the
 * session's account has verified, or, without a session, the order's first contact. Null for a
 * session that only has the bill_token.
 *
 * @throws Refusal NOT_FOUND, as for an order that does not exist.
 */
export function requireLinkingContact(
  order: OrderContacts,
  { session, hasToken }: { session: ActiveLinkSession | null; hasToken: boolean },
): Contact | null {
  const contacts = contactsOf(order);
  const contact = session
    ? contacts.find((orderContact) => hasVerified(session.contacts, orderContact))
    : contacts.at(0);
  const isAllowed = hasToken ? session !== null || contact !== undefined : session && contact;
  if (!isAllowed) throw notFound("order");
  return contact ?? null;
}
