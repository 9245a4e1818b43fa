import { z } from "@hono/zod-openapi";
import { isoOrNull } from "../../../shared/kernel/index.ts";
import type { Preferences } from "../../../shared/link/index.ts";
import { orderTypes } from "../../../shared/orders/index.ts";

export const PreferencesView = z
  .object({
    preferred_order_type: z.enum(orderTypes).nullable(),
    default_address_id: z.string().nullable(),
    notify_on_order: z.boolean(),
    updated_at: z.string().nullable(),
  })
  .openapi("LinkPreferences");

/** completions.md 13, Preferences. */
export const viewPreferences = (preferences: Preferences): z.infer<typeof PreferencesView> => ({
  preferred_order_type: preferences.preferredOrderType,
  default_address_id: preferences.defaultAddressId,
  notify_on_order: preferences.notifyOnOrder,
  updated_at: isoOrNull(preferences.updatedAt),
});
