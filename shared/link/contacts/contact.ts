import type { Contact } from "../../customers/index.ts";
import type { Mode } from "../../kernel/index.ts";

/** An account's contacts (docs/contract/link.md#contact-limit). */
export const maxContacts = 10;

/** A contact of test mode and the same contact of live mode have separate accounts. */
export type ContactInMode = Readonly<{ contact: Contact; mode: Mode }>;

/** A contact of an account. */
export type LinkContact = Contact &
  Readonly<{
    id: string;
    /** Null until the owner has logged in with the contact. */
    verifiedAt: number | null;
    createdAt: number;
  }>;

export const isSameContact = (one: Contact, other: Contact): boolean =>
  one.type === other.type && one.value === other.value;

/** Whether the account's owner has verified the contact. */
export const hasVerified = (contacts: readonly LinkContact[], contact: Contact): boolean =>
  contacts.some((own) => own.verifiedAt !== null && isSameContact(own, contact));

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
