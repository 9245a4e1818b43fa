import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { MobileMoneyProvider } from "../payments/index.ts";

export type NewMobileMoney = Readonly<{
  id: string;
  /** E.164. */
  phoneNumber: string;
  provider: MobileMoneyProvider;
  label: string | null;
}>;

/** A saved mobile-money account. At most one of an account is the default. */
export type MobileMoneyAccount = NewMobileMoney &
  Readonly<{
    isDefault: boolean;
    /** When the network last confirmed that the number is reachable; null if it has not. */
    verifiedAt: number | null;
    usageCount: number;
    lastUsedAt: number | null;
    createdAt: number;
  }>;

/** The country of an E.164 number, ISO 3166 alpha-2; null for a number without one. */
export const countryOfPhone = (phone: string): string | null =>
  parsePhoneNumberFromString(phone)?.country ?? null;
