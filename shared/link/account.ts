import type { Contact } from "../customers/index.ts";
import type { Mode, Runtime } from "../kernel/index.ts";
import type { OrderType } from "../orders/index.ts";

/** A person across businesses (interface.md, Link API). */
export type LinkAccount = Readonly<{
  id: string;
  mode: Mode;
  /** What Link calls the person where a customer is asked for; no business's customer. */
  customerId: string;
  name: string | null;
  /** Null: the person logged in, and has not enrolled. */
  enrolledAt: number | null;
  preferredOrderType: OrderType | null;
  notifyOnOrder: boolean;
  preferencesUpdatedAt: number | null;
  createdAt: number;
}>;

export type LinkContact = Contact &
  Readonly<{
    /** Null: somebody named it, and its owner has not proved it yet. */
    verifiedAt: number | null;
  }>;

/** What an enrolment answers; `isNew` for the call that made it. */
export type Enrolment = Readonly<{
  accountId: string;
  customerId: string;
  enrolledAt: number;
  isNew: boolean;
}>;

/** The account that a contact gets which is nobody's yet. */
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

/** Whether the account's owner has proved that the contact is theirs. */
export const hasVerified = (contacts: readonly LinkContact[], { type, value }: Contact): boolean =>
  contacts.some((one) => one.type === type && one.value === value && one.verifiedAt !== null);

/** The proved contact of a type; null without one. */
export const verifiedContact = (
  contacts: readonly LinkContact[],
  type: Contact["type"],
): string | null =>
  contacts.find((one) => one.type === type && one.verifiedAt !== null)?.value ?? null;
