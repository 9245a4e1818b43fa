import type { Contact } from "./contact.ts";

export type Customer = Readonly<{
  id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  /**
   * When the owner verified the e-mail address; null before. An unverified address cannot log in.
   */
  emailVerifiedAt: number | null;
  phoneVerifiedAt: number | null;
  /**
   * The contact that replaces the verified one when its owner verifies it. Until then the verified
   * one logs in. Null without a change.
   */
  pendingEmail: string | null;
  pendingPhone: string | null;
  /** Logins before this time have ended. Their sessions are anonymous. */
  sessionsEndedAt: number | null;
  /** When the customer's personal data were erased; null when they were not. */
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
  pendingEmail: null,
  pendingPhone: null,
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
  pendingEmail: null,
  pendingPhone: null,
  sessionsEndedAt: now,
  erasedAt: now,
  updatedAt: now,
});

/** Whether a login at this time is still active. */
export const isLoggedIn = (
  { sessionsEndedAt }: Pick<Customer, "sessionsEndedAt">,
  loggedInAt: number,
): boolean => sessionsEndedAt === null || loggedInAt > sessionsEndedAt;
