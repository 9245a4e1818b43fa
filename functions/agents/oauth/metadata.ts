import { platformScopes } from "../../../shared/link/index.ts";
import type { AgentShop } from "../agent-call.ts";
import { clientAuthMethods } from "./client-document.ts";

type Issuer = Pick<AgentShop, "address">;

/** How platforms reach the authorization server of a business (RFC 8414). */
export const authorizationServerMetadata = ({ address }: Issuer) => ({
  issuer: address,
  authorization_endpoint: `${address}/oauth/authorize`,
  token_endpoint: `${address}/oauth/token`,
  revocation_endpoint: `${address}/oauth/revoke`,
  scopes_supported: platformScopes,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: clientAuthMethods,
  token_endpoint_auth_signing_alg_values_supported: ["ES256"],
  revocation_endpoint_auth_methods_supported: clientAuthMethods,
  revocation_endpoint_auth_signing_alg_values_supported: ["ES256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

/** Which authorization server protects a business's services (RFC 9728). */
export const protectedResourceMetadata = ({ address }: Issuer) => ({
  resource: address,
  authorization_servers: [address],
  scopes_supported: platformScopes,
  bearer_methods_supported: ["header"],
});

export const resourceMetadataUrl = ({ address }: Issuer): string => {
  const { origin, pathname } = new URL(address);
  return `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
};
