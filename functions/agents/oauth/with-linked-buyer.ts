import { type AgentBuyer, type AgentCartRequest, splitName } from "../../../shared/agents/index.ts";
import { openDb } from "../../../shared/database/index.ts";
import { loadBuyerDetails } from "../../../shared/link/index.ts";
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
  { buyer, http, meter }: AgentCall,
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
  };
}
