import { z } from "@hono/zod-openapi";
import { second } from "../../shared/kernel/index.ts";
import {
  type IssuedTokens,
  type LoginDevice,
  logIn,
  refreshSession,
  sessionTokenTtlMs,
} from "../../shared/link/index.ts";
import { linkAudience, redeemCode } from "../../shared/one-time-codes/index.ts";
import {
  contactFields,
  createCodeContext,
  parseContact,
  sendCode,
} from "../http/authentication/one-time-codes.ts";
import { type RequestContext, requireKey } from "../http/context.ts";
import { requireJson } from "../http/contract.ts";
import { readIdempotencyKey } from "../http/idempotency/idempotency-key.ts";
import { callerNetwork } from "../http/rate-limits/rate-limit.ts";
import { deriveSecret } from "../runtime/secrets.ts";
import type { Settings } from "../runtime/settings.ts";
import { text } from "../wire/fields.ts";
import { createLinkContext, createLoginContext, openCore } from "./context.ts";
import type { LinkBindings } from "./env.ts";
import { signSessionToken } from "./session-token.ts";

const maxDeviceLength = 200;

const tokenFields = {
  session_token: z.string().openapi({ description: "Bearer token, lnk_…" }),
  refresh_token: z.string().openapi({ description: "rfr_…, 30 days; works once." }),
  expires_in: z.number().int().openapi({ description: "Seconds of the session_token." }),
};

const Tokens = z.object(tokenFields);

export const MessageResponse = z
  .object({ success: z.literal(true), message: z.string() })
  .openapi("LinkMessage");
export const messageResponse = (message: string) => ({ success: true as const, message });

export const LoginResponse = z
  .object({
    success: z.literal(true),
    ...tokenFields,
    account_id: z.string(),
    customer_id: z.string(),
    message: z.string(),
  })
  .openapi("LinkLogin");

export const TokensResponse = z
  .object({ success: z.literal(true), ...tokenFields })
  .openapi("LinkTokens");

const CodeBody = z.object(contactFields);
const LoginBody = z.object({ ...contactFields, otp_code: text(6).min(4) });

export const codeBody = requireJson(CodeBody);
export const loginBody = requireJson(LoginBody);
export const refreshBody = requireJson(z.object({ refresh_token: text(200).min(1) }));

/** Sends a one-time code to the contact in the request's body. */
export async function sendLoginCode(
  c: RequestContext<LinkBindings>,
  body: z.infer<typeof CodeBody>,
): Promise<z.infer<typeof MessageResponse>> {
  await sendCode(c, linkCodes(c), parseContact(body, requireKey(c).business));
  return messageResponse("A code is on its way.");
}

/**
 * Logs in with the one-time code in the body. A session token that the caller sends has no effect,
 * because only a call with a code to an account's own contact adds a contact to it.
 */
export async function logInWithCode(
  c: RequestContext<LinkBindings>,
  { otp_code, ...body }: z.infer<typeof LoginBody>,
): Promise<z.infer<typeof LoginResponse>> {
  const { business } = requireKey(c);
  const contact = parseContact(body, business);
  await redeemCode(await createCodeContext(c, linkCodes(c)), {
    contact,
    code: otp_code,
    network: callerNetwork(c),
  });
  const login = { contact, mode: business.mode, ...loginDevice(c) };
  const issued = await logIn(await createLoginContext(c), login);
  return {
    ...messageResponse("You are logged in."),
    ...(await viewTokens(c.get("settings"), issued)),
    account_id: issued.account.id,
    customer_id: issued.account.customerId,
  };
}

/** Exchanges a refresh token for new tokens. */
export async function refreshTokens(
  c: RequestContext,
  refreshToken: string,
): Promise<z.infer<typeof TokensResponse>> {
  const settings = c.get("settings");
  const issued = await refreshSession(createLinkContext(c), {
    refreshToken,
    requestKey: readIdempotencyKey(c),
    secret: await deriveSecret(settings, "link refresh tokens"),
  });
  if (issued.isRepeat) c.header("Idempotency-Replayed", "true");
  return { success: true as const, ...(await viewTokens(settings, issued)) };
}

/** Codes of test mode and live mode are separate, because everyone knows the code of test mode. */
export const linkCodes = (c: RequestContext, mode = requireKey(c).business.mode) => ({
  db: openCore(c),
  audience: linkAudience(mode),
  shard: null,
});

async function viewTokens(
  settings: Settings,
  issued: IssuedTokens,
): Promise<z.infer<typeof Tokens>> {
  return {
    session_token: await signSessionToken(settings, issued),
    refresh_token: issued.refreshToken,
    expires_in: sessionTokenTtlMs / second,
  };
}

/** The User-Agent of the call, and the country of its network. */
function loginDevice(c: RequestContext): LoginDevice {
  const agent = c.req
    .header("user-agent")
    ?.replace(/\p{Cc}/gu, " ")
    .trim();
  const country = c.req.raw.cf?.country ?? c.req.header("cf-ipcountry");
  return {
    device: agent ? agent.slice(0, maxDeviceLength) : null,
    country: typeof country === "string" && /^[A-Z]{2}$/.test(country) ? country : null,
  };
}
