import type { Contact } from "../../customers/index.ts";
import { notFound } from "../../kernel/index.ts";
import type { Order, OrderType } from "../../orders/index.ts";
import { hasVerified } from "../account.ts";
import type { AddressFields, NewAddress } from "../address.ts";
import type { NewMobileMoney } from "../mobile-money.ts";
import type { OpenSession } from "../session.ts";

/** What is saved together with an enrolment. */
export type WithOrder = Readonly<{
  address: AddressFields | null;
  mobileMoney: Omit<NewMobileMoney, "id"> | null;
  orderType: OrderType | null;
}>;

/** An enrolment with an order that is under way, with everything that has to come of it. */
export type OrderIntent = Readonly<{
  id: string;
  orderId: string;
  businessId: string;
  accountId: string;
  /** The order's contact, where it is the account's. */
  contact: Contact | null;
  /** Whether the account's owner asks, and not merely who holds the order's bill_token. */
  isOwners: boolean;
  address: NewAddress | null;
  mobileMoney: NewMobileMoney | null;
  orderType: OrderType | null;
}>;

const contactsOf = ({ customerPhone, customerEmail }: OrderContacts): Contact[] => [
  ...(customerPhone === null ? [] : [{ type: "phone" as const, value: customerPhone }]),
  ...(customerEmail === null ? [] : [{ type: "email" as const, value: customerEmail }]),
];

type OrderContacts = Pick<Order, "customerPhone" | "customerEmail">;

/** Whether a contact is the order's, also now: one whose data were erased has none. */
export const isContactOf = (order: OrderContacts, { type, value }: Contact): boolean =>
  contactsOf(order).some((one) => one.type === type && one.value === value);

/**
 * The contact by which an order may be linked (completions.md 13): one of the order's that the
 * session's account has proved. Who holds the bill_token needs none, and without a session the
 * account is that of the order's first contact.
 *
 * @throws Refusal NOT_FOUND, as for an order that does not exist.
 */
export function linkingContact(
  order: OrderContacts,
  { session, hasToken }: { session: OpenSession | null; hasToken: boolean },
): Contact | null {
  const contacts = contactsOf(order);
  const contact = session
    ? contacts.find((one) => hasVerified(session.contacts, one))
    : contacts.at(0);
  const isAllowed = hasToken ? session !== null || contact !== undefined : session && contact;
  if (!isAllowed) throw notFound("order");
  return contact ?? null;
}
