import {
  type AgentBuyer,
  type AgentCartRequest,
  type AgentFulfilment,
  splitName,
} from "../../../shared/agents/index.ts";
import { openDb } from "../../../shared/database/index.ts";
import { comparableText, isCountryCode } from "../../../shared/kernel/index.ts";
import { type BuyerDetails, loadBuyerDetails } from "../../../shared/link/index.ts";
import type { AgentCall } from "../agent-call.ts";

const checkoutScope = "dev.ucp.shopping.checkout:manage";

const nobody: AgentBuyer = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  consent: null,
};

/**
 * The request of a new checkout with what Link knows of its linked buyer, where the agent has sent
 * nothing. Reads CORE once, and only for a buyer who has allowed it.
 */
export async function withLinkedBuyer(
  { buyer, capabilities, http, meter }: AgentCall,
  request: AgentCartRequest,
): Promise<AgentCartRequest> {
  if (!buyer?.scopes.includes(checkoutScope)) return request;
  const known = await loadBuyerDetails(openDb(http.env.CORE, meter), buyer.accountId);
  const sent = request.buyer ?? nobody;
  const hasName = sent.firstName !== null || sent.lastName !== null;
  return {
    ...request,
    buyer: {
      ...sent,
      ...(!hasName && splitName(known.name)),
      email: sent.email ?? known.email,
      phone: sent.phone ?? known.phone,
    },
    fulfilment:
      request.fulfilment === null && capabilities.has("dev.ucp.shopping.fulfillment")
        ? toDefaultAddress(known)
        : request.fulfilment,
  };
}

/** A delivery to the default address; null without one, and for a country that has no known code. */
function toDefaultAddress({ name, address }: BuyerDetails): AgentFulfilment | null {
  if (address === null) return null;
  const country = address.country && comparableText(address.country);
  if (country && !isCountryCode(country)) return null;
  const { id, streetAddress: street, apartment: extended, city, region } = address;
  const { firstName, lastName } = splitName(name);
  const parts = { street, extended, city, region, postalCode: null, country };
  return {
    type: "shipping",
    destinations: [{ id, address: { firstName, lastName, phone: null, ...parts } }],
    ...{ selectedDestinationId: id, selectedOptionId: null },
  };
}
