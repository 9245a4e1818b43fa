import type { Contact } from "../../customers/index.ts";
import { notFound } from "../../kernel/index.ts";
import type { Order, OrderType } from "../../orders/index.ts";
import { hasVerified, verifiedContacts } from "../account.ts";
import type { AddressFields, NewAddress } from "../address.ts";
import type { NewMobileMoney } from "../mobile-money.ts";
import type { ActiveLinkSession } from "../session.ts";

/** What an enrolment with an order saves in the account. */
export type SavedWithOrder = Readonly<{
  address: AddressFields | null;
  mobileMoney: Omit<NewMobileMoney, "id"> | null;
  orderType: OrderType | null;
}>;

/** An enrolment with an order that is not finished, with everything that remains to be written. */
export type OrderIntent = Readonly<{
  id: string;
  orderId: string;
  businessId: string;
  accountId: string;
  /**
   * The account's contact by which the order is linked. Null for an intent that was stored without
   * one.
   */
  contact: Contact | null;
  /** Whether the account's owner has verified that contact by now. */
  isContactVerified: boolean;
  /** The owner's verified contacts, phones first; none when they want no notices. */
  notifiedContacts: readonly Contact[];
  /**
   * True when the account's owner called; false when the caller only has the order's bill_token.
   */
  isByOwner: boolean;
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
 * Returns the contact that links the order to an account (docs/contract/link.md#link-order-access).
 * With a session: a contact that its account has verified, first one of the order and one whose
 * customer the shop knows. Without a session: the order's first contact.
 *
 * @throws Refusal NOT_FOUND when the caller may not link the order.
 */
export function requireLinkingContact(
  order: OrderContacts,
  { session, hasToken, isOwned }: LinkingCaller,
): Contact {
  const contacts = contactsOf(order);
  const candidates = session
    ? contactsOfAccount(contacts, session, hasToken)
    : contacts.slice(0, 1);
  const contact = session || hasToken ? (candidates.find(isOwned) ?? candidates.at(0)) : undefined;
  if (!contact) throw notFound("order");
  return contact;
}

type LinkingCaller = Readonly<{
  session: ActiveLinkSession | null;
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
