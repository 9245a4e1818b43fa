import { openDb } from "../../../shared/database/index.ts";
import { second, sha256 } from "../../../shared/kernel/index.ts";
import {
  exchangeAuthorizationCode,
  type IssuedPlatformTokens,
  platformAccessTtlMs,
  platformGrantRepo,
  refreshPlatformTokens,
} from "../../../shared/link/index.ts";
import { readIdempotencyKey } from "../../http/idempotency/idempotency-key.ts";
import { runtime } from "../../runtime/runtime.ts";
import { deriveSecret } from "../../runtime/secrets.ts";
import { requireClient } from "./authenticate-client.ts";
import type { OAuthClient } from "./client-document.ts";
import { type OAuthContext, OAuthError } from "./context.ts";
import { readForm } from "./form.ts";

type TokenForm = ReadonlyMap<string, string>;

const createContext = (c: OAuthContext) => ({
  ...runtime,
  db: openDb(c.env.CORE, c.get("meter")),
});

/** Exchanges a code or a refresh token for tokens (docs/agents.md#tokens). */
export async function respondWithTokens(c: OAuthContext): Promise<Response> {
  const form = await readForm(c);
  const client = await requireClient(c, form);
  const issued = await issueTokens(c, client, form);
  if (issued === null)
    throw new OAuthError("invalid_grant", "It is used, expired, revoked, or for another client.");
  const { grant, tokens } = issued;
  setTokenHeaders(c);
  return c.json({
    access_token: tokens.access,
    token_type: "Bearer",
    expires_in: platformAccessTtlMs / second,
    refresh_token: tokens.refresh,
    scope: grant.scopes.join(" "),
  });
}

async function issueTokens(
  c: OAuthContext,
  client: OAuthClient,
  form: TokenForm,
): Promise<IssuedPlatformTokens | null> {
  const ctx = createContext(c);
  const common = {
    businessId: c.get("shop").business.id,
    clientId: client.id,
    requestKey: readIdempotencyKey(c),
    secret: await deriveSecret(c.get("settings"), "platform tokens"),
  };
  switch (form.get("grant_type")) {
    case "authorization_code": {
      const codeVerifier = requireField(form, "code_verifier");
      if (!/^[\w.~-]{43,128}$/.test(codeVerifier))
        throw new OAuthError("invalid_grant", "code_verifier must have 43 to 128 characters.");
      const redirectUri = requireField(form, "redirect_uri");
      const code = requireField(form, "code");
      return exchangeAuthorizationCode(ctx, { ...common, code, codeVerifier, redirectUri });
    }
    case "refresh_token": {
      const refreshToken = requireField(form, "refresh_token");
      return refreshPlatformTokens(ctx, { ...common, refreshToken });
    }
    default: {
      const description = "grant_type must be authorization_code or refresh_token.";
      throw new OAuthError("unsupported_grant_type", description);
    }
  }
}

function requireField(form: TokenForm, name: string): string {
  const value = form.get(name) ?? "";
  if (value === "" || value.length > 2_048)
    throw new OAuthError("invalid_request", `Send ${name}.`);
  return value;
}

/** Revokes the grant of an access or a refresh token (RFC 7009). An unknown token is no error. */
export async function revokeToken(c: OAuthContext): Promise<Response> {
  const form = await readForm(c);
  const client = await requireClient(c, form);
  const token = requireField(form, "token");
  const { db, now } = createContext(c);
  const platform = { businessId: c.get("shop").business.id, clientId: client.id };
  await platformGrantRepo(db).revokeByToken(platform, await sha256(token), now());
  setTokenHeaders(c);
  return c.body(null, 200);
}

export function setTokenHeaders(c: OAuthContext): void {
  c.header("Cache-Control", "no-store");
  c.header("Pragma", "no-cache");
}
