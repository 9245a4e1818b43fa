import { z } from "@hono/zod-openapi";
import { iso, isoOrNull } from "../../../shared/kernel/index.ts";
import type { Address } from "../../../shared/link/index.ts";

/** The fields of an address that its owner enters. */
export const addressFields = {
  label: z.string().nullable(),
  street_address: z.string(),
  apartment: z.string().nullable(),
  city: z.string().nullable(),
  region: z.string().nullable(),
  country: z.string().nullable(),
};

export const AddressView = z
  .object({
    id: z.string(),
    ...addressFields,
    is_default: z.boolean(),
    usage_count: z.number().int(),
    last_used_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi("LinkAddress");

export const viewAddress = (address: Address): z.infer<typeof AddressView> => ({
  id: address.id,
  label: address.label,
  street_address: address.streetAddress,
  apartment: address.apartment,
  city: address.city,
  region: address.region,
  country: address.country,
  is_default: address.isDefault,
  usage_count: address.usageCount,
  last_used_at: isoOrNull(address.lastUsedAt),
  created_at: iso(address.createdAt),
  updated_at: iso(address.updatedAt),
});
