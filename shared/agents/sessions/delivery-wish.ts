import type { Business } from "../../businesses/index.ts";
import { type DeliveryPlace, deliveryPlaceOf } from "../../delivery/index.ts";
import { comparableText, type FreeAddress, isCountryCode } from "../../kernel/index.ts";
import type { AgentAddress, AgentFulfilment } from "../agent-session.ts";

/** How a request is to be delivered, in the terms of the shop. */
export type DeliveryWish = Readonly<{
  type: AgentFulfilment["type"] | null;
  destinationId: string | null;
  address: FreeAddress | null;
  /** Null without an address, and for one without a known country. */
  place: DeliveryPlace | null;
  optionId: string | null;
  /** What is delivered, for the taxes of the place; null until an option is chosen. */
  target: Readonly<{
    type: "delivery" | "pickup";
    address: FreeAddress | null;
    locationId: string | null;
  }> | null;
}>;

/** The selected destination, or the only one. */
export const selectedDestination = ({ destinations, selectedDestinationId }: AgentFulfilment) =>
  selectedDestinationId === null
    ? destinations.length === 1
      ? destinations[0]
      : undefined
    : destinations.find(({ id }) => id === selectedDestinationId);

export function deliveryWishOf(
  business: Business,
  fulfilment: AgentFulfilment | null,
): DeliveryWish {
  if (fulfilment === null) {
    const none = { type: null, destinationId: null, address: null, place: null };
    return { ...none, optionId: null, target: null };
  }
  const { type, selectedOptionId, selectedDestinationId } = fulfilment;
  if (type === "pickup") {
    const optionId = selectedOptionId ?? selectedDestinationId;
    return {
      ...{ type, destinationId: selectedDestinationId, address: null, place: null, optionId },
      target: optionId === null ? null : { type: "pickup", address: null, locationId: optionId },
    };
  }
  const destination = selectedDestination(fulfilment);
  const address = destination ? toFreeAddress(destination.address) : null;
  const hasCountry =
    !destination?.address.country || isCountryCode(comparableText(destination.address.country));
  return {
    type,
    destinationId: destination?.id ?? null,
    address,
    place: hasCountry ? deliveryPlaceOf(address, business) : null,
    optionId: selectedOptionId,
    target: selectedOptionId === null ? null : { type: "delivery", address, locationId: null },
  };
}

/** The address in the fields of the shop's own checkout. */
export function toFreeAddress(address: AgentAddress): FreeAddress | null {
  const name = [address.firstName, address.lastName].filter(Boolean).join(" ");
  const fields = {
    name: name || null,
    phone: address.phone,
    street_address: [address.street, address.extended].filter(Boolean).join(", ") || null,
    city: address.city,
    region: address.region,
    postal_code: address.postalCode,
    country: address.country,
  };
  const sent = Object.entries(fields).filter(([, text]) => text !== null && text !== "");
  return sent.length === 0 ? null : Object.fromEntries(sent);
}
