import type { Contact } from "../../customers/index.ts";
import { notFound } from "../../kernel/index.ts";
import type { Order, OrderType } from "../../orders/index.ts";
import type { AddressFields, NewAddress } from "../address.ts";
import { hasVerified, verifiedContacts } from "../contacts/contact.ts";
import type { MobileMoneyFields, NewMobileMoney } from "../mobile-money.ts";
import type { ActiveLinkSession } from "../session.ts";

/** What an enrolment with an order saves in the account. */
export type SavedWithOrder = Readonly<{
  address: AddressFields | null;
  mobileMoney: MobileMoneyFields | null;
  orderType: OrderType | null;
}>;

/** An enrolment with an order that is not finished, with everything that remains to be written. */
export type OrderIntent = Readonly<{
  id: string;
  orderId: string;
  businessId: string;
  accountId: string;
  /** The account's contact by which the order is linked. Null when only a bill_token does. */
  contact: Contact | null;
  /** Whether the account's owner has verified that contact by now. */
  isContactVerified: boolean;
  /** The owner's verified contacts, phones first; none when they want no notices. */
  notifiedContacts: readonly Contact[];
  address: NewAddress | null;
  mobileMoney: NewMobileMoney | null;
  orderType: OrderType | null;
}>;

export const contactsOf = ({ customerPhone, customerEmail }: OrderContacts): Contact[] => [
  ...(customerPhone === null ? [] : [{ type: "phone" as const, value: customerPhone }]),
  ...(customerEmail === null ? [] : [{ type: "email" as const, value: customerEmail }]),
];

type OrderContacts = Pick<Order, "customerPhone" | "customerEmail">;

/** Whether the contact is the order's phone or e-mail. An order has neither after an erasure. */
export const hasContact = (order: OrderContacts, { type, value }: Contact): boolean =>
  contactsOf(order).some((contact) => contact.type === type && contact.value === value);

/**
 * Returns the contact that links the order to the account of a session
 * (docs/contract/link.md#link-order-access): one that the account has verified, first one of the
 * order and one whose customer the shop knows.
 *
 * @throws Refusal NOT_FOUND when the caller may not link the order.
 */
export function requireLinkingContact(
  order: OrderContacts,
  { session, hasToken, isOwned }: LinkingCaller,
): Contact {
  const candidates = contactsOfAccount(contactsOf(order), session, hasToken);
  const contact = candidates.find(isOwned) ?? candidates.at(0);
  if (!contact) throw notFound("order");
  return contact;
}

type LinkingCaller = Readonly<{
  session: ActiveLinkSession;
  hasToken: boolean;
  /** Whether a customer of the shop has verified the contact. */
  isOwned: (contact: Contact) => boolean;
}>;

function contactsOfAccount(
  contacts: readonly Contact[],
  { contacts: known }: ActiveLinkSession,
  hasToken: boolean,
): Contact[] {
  const own = contacts.filter((contact) => hasVerified(known, contact));
  return own.length > 0 || !hasToken ? own : verifiedContacts(known);
}
