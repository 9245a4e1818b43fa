import type { Context } from "hono";
import type { AgentEnv } from "../agent-call.ts";

/** A request to the authorization server of a business. */
export type OAuthContext = Context<AgentEnv>;

/** An error of the token and the revocation endpoint (RFC 6749, 5.2). */
export class OAuthError extends Error {
  readonly code: "invalid_request" | "invalid_client" | "invalid_grant" | "unsupported_grant_type";

  constructor(code: OAuthError["code"], description: string) {
    super(description);
    this.name = "OAuthError";
    this.code = code;
  }
}
