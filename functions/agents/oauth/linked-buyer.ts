import type { Platform } from "../../../shared/agents/index.ts";
import { openDb } from "../../../shared/database/index.ts";
import { sha256 } from "../../../shared/kernel/index.ts";
import {
  type PlatformGrant,
  type PlatformScope,
  platformGrantRepo,
} from "../../../shared/link/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { AgentContext, AgentShop, LinkedBuyer } from "../agent-call.ts";
import { ProtocolError } from "../protocol-error.ts";
import { resourceMetadataUrl } from "./metadata.ts";

/**
 * The buyer who allowed the platform to act for them, from the request's bearer token; null without
 * one. A platform's profile and its OAuth client have the same origin, so that the token of one is
 * of no use to another.
 *
 * @throws ProtocolError identity_required for a token that is unknown, expired, revoked or of another
 * platform.
 */
export async function requireLinkedBuyer(
  c: AgentContext,
  shop: AgentShop,
  { profileUrl }: Pick<Platform, "profileUrl">,
): Promise<LinkedBuyer | null> {
  const header = c.req.header("authorization");
  if (header === undefined) return null;
  const grant = await findGrant(c, shop, header);
  if (grant === null || originOf(grant.clientId) !== originOf(profileUrl))
    throw new ProtocolError("identity_required", "The access token is not valid here.", {
      challenge: bearerChallenge(shop, { error: "invalid_token" }),
    });
  const { accountId, customerId, scopes, createdAt } = grant;
  return { accountId, customerId, scopes, linkedAt: createdAt };
}

async function findGrant(
  c: AgentContext,
  { business }: Pick<AgentShop, "business">,
  header: string,
): Promise<PlatformGrant | null> {
  const token = /^Bearer +(lpa_[\w-]{1,200})$/i.exec(header)?.[1];
  if (token === undefined) return null;
  const grants = platformGrantRepo(openDb(c.env.CORE, c.get("meter")));
  const key = { hash: await sha256(token), businessId: business.id };
  return grants.findByAccessToken(key, runtime.now());
}

/**
 * The linked buyer of a call that needs a scope.
 *
 * @throws ProtocolError identity_required without a buyer, insufficient_scope without the scope.
 */
export function requireScope(
  shop: Pick<AgentShop, "address">,
  buyer: LinkedBuyer | null,
  scope: PlatformScope,
): LinkedBuyer {
  if (buyer === null)
    throw new ProtocolError("identity_required", "This call acts for a linked buyer.", {
      challenge: bearerChallenge(shop, {}),
    });
  if (buyer.scopes.includes(scope)) return buyer;
  throw new ProtocolError("insufficient_scope", `This call requires the scope ${scope}.`, {
    challenge: bearerChallenge(shop, { error: "insufficient_scope", scopes: [scope] }),
  });
}

const originOf = (url: string): string | null => URL.parse(url)?.origin ?? null;

type Challenge = Readonly<{
  /** Left out when the request had no token. */
  error?: "invalid_token" | "insufficient_scope";
  /** All scopes that the operation needs. */
  scopes?: readonly string[];
}>;

/** The WWW-Authenticate header of a response that asks for a linked buyer (RFC 6750, 3). */
function bearerChallenge(shop: Pick<AgentShop, "address">, challenge: Challenge): string {
  const { error, scopes } = challenge;
  const parameters = [
    `realm="${shop.address}"`,
    ...(error ? [`error="${error}"`] : []),
    ...(scopes ? [`scope="${scopes.join(" ")}"`] : []),
    `resource_metadata="${resourceMetadataUrl(shop)}"`,
  ];
  return `Bearer ${parameters.join(", ")}`;
}
