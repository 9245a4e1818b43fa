import type { Contact } from "./contact.ts";

export type Customer = Readonly<{
  id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  /** Null until the owner has verified the e-mail address; an unverified one cannot log in. */
  emailVerifiedAt: number | null;
  phoneVerifiedAt: number | null;
  /** Sessions that logged in before this time are anonymous. */
  sessionsEndedAt: number | null;
  /** When the personal data were erased; null otherwise. */
  erasedAt: number | null;
  createdAt: number;
  updatedAt: number;
}>;

/** A new customer with one verified contact. */
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

/** The customer without personal data and without active sessions. */
export const withoutPersonalData = (customer: Customer, now: number): Customer => ({
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

/** Whether a login of this time is still active. */
export const isLoggedIn = (
  { sessionsEndedAt }: Pick<Customer, "sessionsEndedAt">,
  loggedInAt: number,
): boolean => sessionsEndedAt === null || loggedInAt > sessionsEndedAt;
