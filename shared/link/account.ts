import type { Contact } from "../customers/index.ts";
import type { Mode, Runtime } from "../kernel/index.ts";
import type { OrderType } from "../orders/index.ts";

/** A person's account across businesses. */
export type LinkAccount = Readonly<{
  id: string;
  mode: Mode;
  /** The customer_id that the Link API returns. No business has a customer with this id. */
  customerId: string;
  name: string | null;
  /** Null for a person who has logged in but not enrolled. */
  enrolledAt: number | null;
  preferredOrderType: OrderType | null;
  notifyOnOrder: boolean;
  preferencesUpdatedAt: number | null;
  createdAt: number;
}>;

export type LinkContact = Contact &
  Readonly<{
    /** Null until the owner has logged in with the contact. */
    verifiedAt: number | null;
  }>;

/** `isNew` is true only in the response to the call that enrolled the account. */
export type Enrolment = Readonly<{
  accountId: string;
  customerId: string;
  enrolledAt: number;
  isNew: boolean;
}>;

/** Creates an account for a contact that has no account yet. The account is not stored here. */
export const newAccount = ({ newId, now }: Runtime, mode: Mode): LinkAccount => ({
  id: newId("acc"),
  mode,
  customerId: newId("cus"),
  name: null,
  enrolledAt: null,
  preferredOrderType: null,
  notifyOnOrder: true,
  preferencesUpdatedAt: null,
  createdAt: now(),
});

/** Whether the account's owner has verified the contact. */
export const hasVerified = (contacts: readonly LinkContact[], { type, value }: Contact): boolean =>
  contacts.some(
    (contact) => contact.type === type && contact.value === value && contact.verifiedAt !== null,
  );

/** The contacts that the account's owner has verified, phones first. */
export const verifiedContacts = (contacts: readonly LinkContact[]): Contact[] =>
  phonesFirst(
    contacts
      .filter(({ verifiedAt }) => verifiedAt !== null)
      .map(({ type, value }) => ({ type, value })),
  );

export const phonesFirst = (contacts: readonly Contact[]): Contact[] =>
  contacts.toSorted((one, other) => Number(one.type === "email") - Number(other.type === "email"));

/** Returns the verified contact of this type, or null when there is none. */
export const verifiedContact = (
  contacts: readonly LinkContact[],
  type: Contact["type"],
): string | null =>
  contacts.find((contact) => contact.type === type && contact.verifiedAt !== null)?.value ?? null;
