import { minute } from "../../kernel/index.ts";
import type { SlotOffer } from "./slot-offer.ts";

/** How long a cart line holds its slot (docs/contract/storefront.md#slot-holds). */
export const slotHoldTtlMs = 10 * minute;

/**
 * An offer for a shopper who may already hold the slot. The minimum notice is shortened by the length
 * of a hold, because the notice was checked when the hold began.
 */
export const withHoldLeeway = (offer: SlotOffer): SlotOffer => ({
  ...offer,
  service: {
    ...offer.service,
    minNoticeMinutes: Math.max(0, offer.service.minNoticeMinutes - slotHoldTtlMs / minute),
  },
});
