import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { MobileMoneyProvider } from "../payments/index.ts";

/** The fields of a mobile-money account that the account's owner enters. */
export type MobileMoneyFields = Readonly<{
  /** In E.164 format. */
  phoneNumber: string;
  provider: MobileMoneyProvider;
  label: string | null;
}>;

export type NewMobileMoney = MobileMoneyFields & Readonly<{ id: string }>;

/** A mobile-money account saved in a Link account. A Link account has at most one default. */
export type MobileMoneyAccount = NewMobileMoney &
  Readonly<{
    isDefault: boolean;
    /**
     * When the network last reported the number as reachable. Null before that, or when a later
     * check found the number unreachable.
     */
    verifiedAt: number | null;
    usageCount: number;
    lastUsedAt: number | null;
    createdAt: number;
  }>;

/**
 * The country of an E.164 number (ISO 3166 alpha-2). Null when the number belongs to no country.
 */
export const countryOfPhone = (phone: string): string | null =>
  parsePhoneNumberFromString(phone)?.country ?? null;
