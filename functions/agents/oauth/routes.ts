import type { Context } from "hono";
import { findRefusal, type Refusal } from "../../../shared/kernel/index.ts";
import { receiveBody } from "../../http/bodies.ts";
import { statusOf } from "../../http/errors.ts";
import type { AgentApp, AgentEnv, AgentShop } from "../agent-call.ts";
import { onAgentError } from "../respond.ts";
import { showAuthorize, submitAuthorize } from "./authorize.ts";
import { type OAuthContext, OAuthError } from "./context.ts";
import { authorizationServerMetadata, protectedResourceMetadata } from "./metadata.ts";
import { respondWithTokens, revokeToken, setTokenHeaders } from "./token.ts";

const metadataMaxAgeSeconds = 300;
const receiveForm = receiveBody({
  maxBytes: 32 * 1024,
  message: "The body is larger than 32 KiB.",
});

/** The metadata of the authorization server of a business and of what it protects. */
export async function mountOAuthMetadata(app: AgentApp): Promise<void> {
  const serve = (metadata: (shop: AgentShop) => object) => (c: OAuthContext) => {
    c.header("Cache-Control", `public, max-age=${metadataMaxAgeSeconds}`);
    return c.json(metadata(c.get("shop")));
  };
  const folder = "/agents/:slug/.well-known";
  app.get(`${folder}/oauth-authorization-server`, serve(authorizationServerMetadata));
  app.get(`${folder}/oauth-protected-resource`, serve(protectedResourceMetadata));
}

/** Identity linking: OAuth 2.1 with PKCE (docs/agents.md#identity-linking). */
export async function mountOAuth(app: AgentApp): Promise<void> {
  const folder = "/agents/:slug/oauth";
  app.onError(onOAuthError);
  app.get(`${folder}/authorize`, showAuthorize);
  app.post(`${folder}/authorize`, receiveForm, submitAuthorize);
  app.post(`${folder}/token`, receiveForm, respondWithTokens);
  app.post(`${folder}/revoke`, receiveForm, revokeToken);
}

/** Errors of OAuth, and refusals of limits in the form that clients of OAuth read. */
function onOAuthError(error: Error, c: Context<AgentEnv>): Response | Promise<Response> {
  setTokenHeaders(c);
  if (error instanceof OAuthError) {
    const status = error.code === "invalid_client" ? 401 : 400;
    return c.json({ error: error.code, error_description: error.message }, status);
  }
  const refusal = findRefusal(error);
  if (refusal === null) return onAgentError(error, c);
  return respondWithOAuthRefusal(c, refusal);
}

function respondWithOAuthRefusal(c: Context<AgentEnv>, refusal: Refusal): Response {
  const status = statusOf(refusal);
  const retryAfterMs = refusal.context?.retry_after_ms;
  if (retryAfterMs !== undefined) c.header("Retry-After", String(Math.ceil(retryAfterMs / 1_000)));
  const error = status >= 500 || status === 429 ? "temporarily_unavailable" : "invalid_request";
  return c.json({ error, error_description: refusal.message }, status);
}
