import type { Contact } from "./contact.ts";

export type Customer = Readonly<{
  id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  /** Null: this e-mail address cannot log in until its owner proved it. */
  emailVerifiedAt: number | null;
  phoneVerifiedAt: number | null;
  /** What began before it is over: a session that logged in earlier is anonymous. */
  sessionsEndedAt: number | null;
  /** When the personal data were blanked; null while they are there. */
  erasedAt: number | null;
  createdAt: number;
  updatedAt: number;
}>;

/** The customer whom the first successful verify of a contact makes. */
export const newCustomer = (
  { id, now }: { id: string; now: number },
  { type, value }: Contact,
): Customer => ({
  id,
  name: null,
  email: type === "email" ? value : null,
  phone: type === "phone" ? value : null,
  emailVerifiedAt: type === "email" ? now : null,
  phoneVerifiedAt: type === "phone" ? now : null,
  sessionsEndedAt: null,
  erasedAt: null,
  createdAt: now,
  updatedAt: now,
});

/** The customer without anything that tells who it was; what it did keeps its figures elsewhere. */
export const erased = (customer: Customer, now: number): Customer => ({
  ...customer,
  name: null,
  email: null,
  phone: null,
  emailVerifiedAt: null,
  phoneVerifiedAt: null,
  sessionsEndedAt: now,
  erasedAt: now,
  updatedAt: now,
});

/** Whether a session that this customer logged into at that time still is theirs. */
export const isLoggedIn = (
  { sessionsEndedAt }: Pick<Customer, "sessionsEndedAt">,
  loggedInAt: number,
): boolean => sessionsEndedAt === null || loggedInAt > sessionsEndedAt;
