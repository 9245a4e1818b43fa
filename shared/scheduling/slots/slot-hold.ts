import { minute } from "../../kernel/index.ts";
import type { SlotOffer } from "./slot-offer.ts";

/** How long a cart line holds its slot (docs/contract/storefront.md#slot-holds). */
export const slotHoldTtlMs = 10 * minute;

/**
 * An offer with a shorter minimum notice, for a shopper who may have held the slot before. The
 * notice was checked when the hold began, at most one hold length ago.
 */
export const withHoldLeeway = (offer: SlotOffer): SlotOffer => ({
  ...offer,
  service: {
    ...offer.service,
    minNoticeMinutes: Math.max(0, offer.service.minNoticeMinutes - slotHoldTtlMs / minute),
  },
});
