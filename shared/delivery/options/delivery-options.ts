import { type Business, defaultLocation, type PaymentMethod } from "../../businesses/index.ts";
import { type DeliveryFigures, deliveryPrice } from "../methods/delivery-method.ts";
import type { DeliveryOffer, OfferedMethod, OfferedZone } from "./delivery-offer-query.ts";

export const deliveryTypes = ["delivery", "pickup"] as const;
export type DeliveryType = (typeof deliveryTypes)[number];

/** What a shopper can choose: a method that applies to the cart, or pickup at a location. */
export type DeliveryOption = Readonly<{
  /** The id of the method or of the location. */
  id: string;
  type: DeliveryType;
  name: string;
  description: string;
  priceMinor: number;
  minDays: number | null;
  maxDays: number | null;
  /** Where the order ships from or is collected. */
  locationId: string;
  /** What it can be paid with; null for all payment methods of the business. */
  paymentMethods: readonly PaymentMethod[] | null;
}>;

type OptionsInput = Readonly<{
  business: Business;
  figures: DeliveryFigures;
  /** The location of the cart's lines; null when they name none. */
  cartLocationId: string | null;
  /** Chooses the location of a cart without one among these, of which the first is preferred. */
  chooseLocation: (locationIds: readonly [string, ...string[]]) => string;
}>;

/** The options of a cart: the cheapest first, then by the merchant's order. */
export function deliveryOptions(
  { zones }: Pick<DeliveryOffer, "zones">,
  input: OptionsInput,
): DeliveryOption[] {
  const served = findServingZone(zones, input);
  const deliveries = served
    ? served.zone.methods.flatMap((method) => {
        const priceMinor = deliveryPrice(method, input.figures);
        if (priceMinor === null) return [];
        const option = toDeliveryOption(method, { ...served, priceMinor });
        return [{ option, sortOrder: method.sortOrder }];
      })
    : [];
  const pickups = pickupOptions(input).map((option) => ({ option, sortOrder: 0 }));
  return [...deliveries, ...pickups]
    .toSorted((a, b) => a.option.priceMinor - b.option.priceMinor || a.sortOrder - b.sortOrder)
    .map(({ option }) => option);
}

/** The most specific zone that serves the cart's location, and where the cart ships from. */
function findServingZone(
  zones: readonly OfferedZone[],
  { business, cartLocationId, chooseLocation }: OptionsInput,
): Readonly<{ zone: OfferedZone; locationId: string }> | null {
  for (const zone of zones) {
    if (cartLocationId !== null) {
      if (zone.locationIds?.includes(cartLocationId) ?? true) {
        return { zone, locationId: cartLocationId };
      }
      continue;
    }
    if (zone.locationIds === null) return { zone, locationId: defaultLocation(business).id };
    const [first, ...others] = zone.locationIds.filter((id) =>
      business.locations.some((location) => location.id === id),
    );
    if (first !== undefined) return { zone, locationId: chooseLocation([first, ...others]) };
  }
  return null;
}

const toDeliveryOption = (
  { id, name, description, minDays, maxDays, paymentMethods }: OfferedMethod,
  { locationId, priceMinor }: Pick<DeliveryOption, "locationId" | "priceMinor">,
): DeliveryOption => ({
  id,
  type: "delivery",
  name,
  description,
  priceMinor,
  minDays,
  maxDays,
  locationId,
  paymentMethods,
});

/** The locations where a cart can be collected: its own, or any when it names none. */
const pickupOptions = ({ business, cartLocationId }: OptionsInput): DeliveryOption[] =>
  business.locations
    .filter(
      ({ id, offersPickup }) => offersPickup && (cartLocationId === null || id === cartLocationId),
    )
    .map(({ id, name, pickupInstructions }) => ({
      id,
      type: "pickup",
      name,
      description: pickupInstructions ?? "",
      priceMinor: 0,
      minDays: null,
      maxDays: null,
      locationId: id,
      paymentMethods: null,
    }));
