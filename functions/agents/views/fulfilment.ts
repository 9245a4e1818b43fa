import type { AgentAddress, AgentSession, Release } from "../../../shared/agents/index.ts";
import type { Business } from "../../../shared/businesses/index.ts";
import type { DeliveryOption } from "../../../shared/delivery/index.ts";
import { omitUndefined } from "../../../shared/kernel/index.ts";

type Fulfilled = Pick<
  AgentSession,
  "cart" | "fulfilment" | "deliveryOptions" | "needsHandover" | "price"
>;

type ViewOptions = Readonly<{ release: Release; business: Pick<Business, "locations"> }>;

type ShownOption = Pick<DeliveryOption, "id" | "type" | "name" | "priceMinor"> &
  Partial<Pick<DeliveryOption, "description" | "minDays" | "maxDays">>;

/** How the items can be delivered or collected; null when there is nothing to hand over. */
export function viewFulfilment(session: Fulfilled, options: ViewOptions) {
  if (!session.needsHandover) return null;
  const pickups = optionsOf(session, "pickup");
  const methods = shownTypesOf(session, pickups).map((type) =>
    type === "shipping" ? viewShipping(session, options) : viewPickup(session, options, pickups),
  );
  const lineIds = handedOverIds(session);
  const isPickupShown = methods.some(({ type }) => type === "pickup");
  return {
    methods,
    ...(pickups.length > 0 &&
      !isPickupShown && {
        available_methods: [{ type: "pickup", line_item_ids: lineIds }],
      }),
  };
}

/** The chosen method. Before one is chosen, each that the items can take. */
function shownTypesOf(
  { fulfilment }: Fulfilled,
  pickups: readonly ShownOption[],
): readonly ("shipping" | "pickup")[] {
  if (fulfilment) return [fulfilment.type];
  return pickups.length > 0 ? ["shipping", "pickup"] : ["shipping"];
}

function viewShipping(session: Fulfilled, { release }: ViewOptions) {
  const { fulfilment } = session;
  const own = fulfilment?.type === "shipping" ? fulfilment : null;
  const destinations = own?.destinations ?? [];
  const isKnown = destinations.some(({ id }) => id === own?.selectedDestinationId);
  return {
    id: "shipping",
    type: "shipping",
    line_item_ids: handedOverIds(session),
    destinations: destinations.map(({ id, address }) => ({
      ...(release === "2026-04-08" ? {} : { type: "shipping_address" }),
      id,
      ...viewAddress(address),
    })),
    selected_destination_id: isKnown ? (own?.selectedDestinationId ?? null) : null,
    groups: viewGroups(session, {
      release,
      type: "shipping",
      options: optionsOf(session, "delivery"),
      selectedId: own?.selectedOptionId ?? null,
    }),
  };
}

function viewPickup(
  session: Fulfilled,
  { release, business }: ViewOptions,
  options: readonly ShownOption[],
) {
  const { fulfilment } = session;
  const selectedId =
    fulfilment?.type === "pickup"
      ? (fulfilment.selectedDestinationId ?? fulfilment.selectedOptionId)
      : null;
  const isKnown = options.some(({ id }) => id === selectedId);
  return {
    id: "pickup",
    type: "pickup",
    line_item_ids: handedOverIds(session),
    destinations: options.map(({ id, name }) => ({
      ...(release === "2026-04-08" ? noStreet : { type: "business_location" }),
      id,
      name: business.locations.find((location) => location.id === id)?.name ?? name,
    })),
    selected_destination_id: isKnown ? selectedId : null,
    groups: viewGroups(session, {
      release,
      type: "pickup",
      options: options.filter(({ id }) => selectedId === null || id === selectedId),
      selectedId,
    }),
  };
}

/** All items travel together, so that there is one group. It has no options before a destination. */
function viewGroups(
  session: Fulfilled,
  {
    release,
    type,
    options,
    selectedId,
  }: Readonly<{
    release: Release;
    type: string;
    options: readonly ShownOption[];
    selectedId: string | null;
  }>,
) {
  if (options.length === 0) return [];
  const isKnown = options.some(({ id }) => id === selectedId);
  return [
    {
      id: `${type}_1`,
      line_item_ids: handedOverIds(session),
      options: options.map((option) => viewOption(option, release)),
      selected_option_id: isKnown ? selectedId : null,
    },
  ];
}

function viewOption(option: ShownOption, release: Release) {
  const { id, name, priceMinor } = option;
  const description = [option.description, travelTime(option)].filter(Boolean).join(" ");
  return {
    id,
    title: name,
    ...(description && {
      // A plain text in the older release, and one of several formats in the newer one.
      description: release === "2026-04-08" ? description : { plain: description },
    }),
    totals: [{ type: "total", amount: priceMinor }],
  };
}

function travelTime({ minDays, maxDays }: ShownOption): string {
  const days = maxDays ?? minDays;
  if (days === null || days === undefined) return "";
  const range = minDays !== null && minDays !== undefined && minDays < days ? `${minDays}–` : "";
  return `Arrives in ${range}${days} ${days === 1 ? "day" : "days"}.`;
}

/** The options of a type, and the chosen one of an order, for which no others are offered. */
function optionsOf(
  { cart, deliveryOptions }: Fulfilled,
  type: DeliveryOption["type"],
): readonly ShownOption[] {
  const offered: readonly ShownOption[] = deliveryOptions.filter((option) => option.type === type);
  const { delivery } = cart;
  if (!delivery || delivery.type !== type || offered.some(({ id }) => id === delivery.optionId))
    return offered;
  const { optionId: id, name, priceMinor, minDays, maxDays } = delivery;
  return [...offered, { id, type, name, priceMinor, minDays, maxDays }];
}

const handedOverIds = ({ cart }: Fulfilled): readonly string[] =>
  cart.lines.filter(({ snapshot }) => snapshot.requiresShipping ?? true).map(({ id }) => id);

/**
 * The older release has no types of destinations, and each must match exactly one of its schemas. A
 * location also matches that of an address, unless a field of addresses is null.
 */
const noStreet = { street_address: null };

const viewAddress = (address: AgentAddress) =>
  omitUndefined({
    first_name: address.firstName ?? undefined,
    last_name: address.lastName ?? undefined,
    phone_number: address.phone ?? undefined,
    street_address: address.street ?? undefined,
    extended_address: address.extended ?? undefined,
    address_locality: address.city ?? undefined,
    address_region: address.region ?? undefined,
    postal_code: address.postalCode ?? undefined,
    address_country: address.country ?? undefined,
  });
