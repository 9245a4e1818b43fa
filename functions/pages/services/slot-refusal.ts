import type { DukaError } from "../../../sdk/src/storefront.ts";
import { forShoppers } from "../parts/refusal-text.ts";

const slotTexts: Readonly<Record<string, string>> = {
  OUTSIDE_HOURS: "This time cannot be booked.",
  TOO_SOON: "This time is too soon to be booked.",
  TOO_LATE: "This time is too far ahead to be booked.",
  FULLY_BOOKED: "Somebody has just taken this time.",
  STAFF_UNAVAILABLE: "Nobody is free at this time any more.",
};

/** Why a time cannot be booked, and what to do; what the API says about anything else. */
export function slotRefusalText(error: DukaError): string {
  const text = slotTexts[String(error.context.reason)];
  if (error.rule === "SLOT_UNAVAILABLE" && text) return `${text} Choose another one.`;
  return error.rule === "LOCATION_MISMATCH"
    ? "Your cart has something of another place. Order that first, or remove it from the cart."
    : forShoppers(error);
}
