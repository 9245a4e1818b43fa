import type {
  AgentBuyer,
  AgentCartRequest,
  AgentDestination,
  AgentFulfilment,
} from "../../../shared/agents/index.ts";
import type { AgentCall } from "../agent-call.ts";
import { toStoredConsent } from "./consent.ts";
import type { SentCheckout, SentDestination, SentMethod } from "./session-fields.ts";

type SentRecord = Pick<SentCheckout, "line_items" | "buyer" | "discounts"> &
  Partial<Pick<SentCheckout, "fulfillment">>;

/** The record in the terms of the model. What belongs to an extension counts when it is active. */
export function toCartRequest(
  { capabilities }: Pick<AgentCall, "capabilities">,
  sent: SentRecord,
): AgentCartRequest {
  const takesDiscounts = capabilities.has("dev.ucp.shopping.discount");
  const takesFulfilment = capabilities.has("dev.ucp.shopping.fulfillment");
  const takesConsent = capabilities.has("dev.ucp.shopping.buyer_consent");
  return {
    lines: sent.line_items.map(({ id, item, quantity }) => ({
      itemId: item.id,
      quantity,
      lineId: id,
    })),
    buyer: sent.buyer && toBuyer(sent.buyer, { takesConsent }),
    fulfilment: takesFulfilment ? toFulfilment(sent.fulfillment?.methods ?? []) : null,
    couponCodes: takesDiscounts ? [...new Set(sent.discounts?.codes ?? [])] : [],
  };
}

const toBuyer = (
  { first_name, last_name, email, phone_number, consent }: NonNullable<SentRecord["buyer"]>,
  { takesConsent }: Readonly<{ takesConsent: boolean }>,
): AgentBuyer => ({
  firstName: first_name,
  lastName: last_name,
  email,
  phone: phone_number,
  consent: takesConsent && consent ? toStoredConsent(consent) : null,
});

/** An order is delivered in one way, so that the first method in which something is chosen counts. */
function toFulfilment(methods: readonly SentMethod[]): AgentFulfilment | null {
  const known = methods.filter((method) => typeOf(method) !== null);
  const chosen = known.find(isChosen) ?? known[0];
  const type = chosen ? typeOf(chosen) : null;
  if (!chosen || type === null) return null;
  const destinations = type === "shipping" ? toDestinations(chosen.destinations ?? []) : [];
  const only = destinations.length === 1 ? destinations[0] : undefined;
  return {
    type,
    destinations,
    selectedDestinationId:
      chosen.selected_destination_id === undefined
        ? (only?.id ?? null)
        : chosen.selected_destination_id,
    selectedOptionId: selectedOptionOf(chosen),
  };
}

/** An update may leave out the type of a method that it names. */
function typeOf({ type, id }: SentMethod): AgentFulfilment["type"] | null {
  const name = type ?? id;
  return name === "shipping" || name === "pickup" ? name : null;
}

const selectedOptionOf = ({ groups }: SentMethod): string | null =>
  groups?.find(({ selected_option_id }) => selected_option_id !== null)?.selected_option_id ?? null;

const isChosen = (method: SentMethod): boolean =>
  Boolean(method.destinations?.length) ||
  (method.selected_destination_id ?? null) !== null ||
  selectedOptionOf(method) !== null;

/** A destination without an id gets one by its position, unless another one has it. */
function toDestinations(sent: readonly SentDestination[]): readonly AgentDestination[] {
  const used = new Set(sent.flatMap(({ id }) => id ?? []));
  return sent.map((destination, index) => {
    let id = destination.id ?? `dest_${index + 1}`;
    while (destination.id === null && used.has(id)) id = `${id}_`;
    used.add(id);
    return {
      id,
      address: {
        firstName: destination.first_name,
        lastName: destination.last_name,
        phone: destination.phone_number,
        street: destination.street_address,
        extended: destination.extended_address,
        city: destination.address_locality,
        region: destination.address_region,
        postalCode: destination.postal_code,
        country: destination.address_country,
      },
    };
  });
}
