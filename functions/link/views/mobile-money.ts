import { z } from "@hono/zod-openapi";
import { iso, isoOrNull } from "../../../shared/kernel/index.ts";
import type { MobileMoneyAccount } from "../../../shared/link/index.ts";
import { mobileMoneyProviders } from "../../../shared/payments/index.ts";

/** The fields of a mobile money account that its owner enters. */
export const mobileMoneyFields = {
  phone_number: z.string(),
  provider: z.enum(mobileMoneyProviders),
  label: z.string().nullable(),
};

export const MobileMoneyView = z
  .object({
    id: z.string(),
    ...mobileMoneyFields,
    is_default: z.boolean(),
    is_verified: z.boolean(),
    verified_at: z.string().nullable(),
    usage_count: z.number().int(),
    last_used_at: z.string().nullable(),
    created_at: z.string(),
  })
  .openapi("LinkMobileMoney");

export const viewMobileMoney = (account: MobileMoneyAccount): z.infer<typeof MobileMoneyView> => ({
  id: account.id,
  phone_number: account.phoneNumber,
  provider: account.provider,
  label: account.label,
  is_default: account.isDefault,
  is_verified: account.verifiedAt !== null,
  verified_at: isoOrNull(account.verifiedAt),
  usage_count: account.usageCount,
  last_used_at: isoOrNull(account.lastUsedAt),
  created_at: iso(account.createdAt),
});
