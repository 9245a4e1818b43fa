import type { MobileMoneyProvider } from "../payments/index.ts";

export type NewMobileMoney = Readonly<{
  id: string;
  /** E.164. */
  phoneNumber: string;
  provider: MobileMoneyProvider;
  label: string | null;
}>;

/** A saved mobile-money account (interface.md, Link records). At most one is the default. */
export type MobileMoneyAccount = NewMobileMoney &
  Readonly<{
    isDefault: boolean;
    /** When the provider last said that the number is reachable; null when it never did. */
    verifiedAt: number | null;
    usageCount: number;
    lastUsedAt: number | null;
    createdAt: number;
  }>;
