import type { Contact } from "../../customers/index.ts";
import { notFound } from "../../kernel/index.ts";
import type { Order, OrderType } from "../../orders/index.ts";
import { hasVerified } from "../account.ts";
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
   * The order's contact that links the order to the account. Null when only a bill_token links
   * them.
   */
  contact: Contact | null;
  /**
   * True when the account's owner called; false when the caller only has the order's bill_token.
   */
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

/** Whether the contact is the order's phone or e-mail. An order has neither after an erasure. */
export const hasContact = (order: OrderContacts, { type, value }: Contact): boolean =>
  contactsOf(order).some((contact) => contact.type === type && contact.value === value);

/**
 * Returns the contact that links the order to an account (docs/contract/link.md#link-order-access).
 * With a session: a contact that its account has verified, or null when only a bill_token gives
 * access. Without a session: the order's first contact.
 *
 * @throws Refusal NOT_FOUND when the caller may not link the order.
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
