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
  /** True while a customer that the merchant created has not logged in. */
  isUnclaimed: boolean;
  /** The merchant's own; shoppers never see them. */
  tags: readonly string[];
  /** Whether the customer pays no tax. Only the merchant says so. */
  isTaxExempt: boolean;
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
  isUnclaimed: false,
  tags: [],
  isTaxExempt: false,
  sessionsEndedAt: null,
  erasedAt: null,
  createdAt: now,
  updatedAt: now,
});

/** A new customer that the merchant created. The contacts are unverified. */
export const newUnclaimedCustomer = (
  { id, now }: { id: string; now: number },
  details: Pick<Customer, "name" | "email" | "phone" | "tags" | "isTaxExempt">,
): Customer => ({
  ...details,
  id,
  emailVerifiedAt: null,
  phoneVerifiedAt: null,
  pendingEmail: null,
  pendingPhone: null,
  isUnclaimed: true,
  sessionsEndedAt: null,
  erasedAt: null,
  createdAt: now,
  updatedAt: now,
});

/** New values of a customer. An undefined field stays as it is, and null clears it. */
export type CustomerPatch = Readonly<{
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  tags?: readonly string[] | undefined;
  isTaxExempt?: boolean | undefined;
}>;

/**
 * The customer after a merchant's patch. A new contact is pending when the earlier one is verified,
 * and replaces it otherwise. Null removes both.
 */
export function withPatch(
  customer: Customer,
  { name, email, phone, tags, isTaxExempt }: CustomerPatch,
): Customer {
  const { emailVerifiedAt, phoneVerifiedAt } = customer;
  const keepsEmail = email != null && emailVerifiedAt !== null;
  const keepsPhone = phone != null && phoneVerifiedAt !== null;
  return {
    ...customer,
    ...(name !== undefined && { name }),
    ...(email !== undefined && !keepsEmail && { email, emailVerifiedAt: null, pendingEmail: null }),
    ...(phone !== undefined && !keepsPhone && { phone, phoneVerifiedAt: null, pendingPhone: null }),
    ...(keepsEmail && { pendingEmail: email === customer.email ? null : email }),
    ...(keepsPhone && { pendingPhone: phone === customer.phone ? null : phone }),
    ...(tags && { tags }),
    ...(isTaxExempt !== undefined && { isTaxExempt }),
  };
}

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
  isUnclaimed: false,
  tags: [],
  isTaxExempt: false,
  sessionsEndedAt: now,
  erasedAt: now,
  updatedAt: now,
});

/** Whether a login at this time is still active. */
export const isLoggedIn = (
  { sessionsEndedAt }: Pick<Customer, "sessionsEndedAt">,
  loggedInAt: number,
): boolean => sessionsEndedAt === null || loggedInAt > sessionsEndedAt;
