import { z } from "@hono/zod-openapi";
import { logIn, refreshSession } from "../../shared/link/index.ts";
import { linkAudience, redeemCode } from "../../shared/one-time-codes/index.ts";
import type { RequestContext } from "../http/api-env.ts";
import {
  codeContext,
  contactFields,
  contactOf,
  sendCode,
} from "../http/authentication/one-time-codes.ts";
import { keyed } from "../http/context.ts";
import { json } from "../http/contract.ts";
import { idempotencyKeyOf } from "../http/idempotency/key.ts";
import { secretFor } from "../runtime/secrets.ts";
import { text } from "../wire/fields.ts";
import { coreOf, linkContext } from "./context.ts";
import { deviceOf } from "./device.ts";
import type { LinkBindings } from "./env.ts";
import { tokenFields, viewTokens } from "./views/tokens.ts";

export const Told = z
  .object({ success: z.literal(true), message: z.string() })
  .openapi("LinkMessage");
export const told = (message: string) => ({ success: true as const, message });

export const LoggedIn = z
  .object({
    success: z.literal(true),
    ...tokenFields,
    account_id: z.string(),
    customer_id: z.string(),
    message: z.string(),
  })
  .openapi("LinkLogin");

export const Refreshed = z
  .object({ success: z.literal(true), ...tokenFields })
  .openapi("LinkTokens");

const CodeBody = z.object(contactFields);
const LoginBody = z.object({ ...contactFields, otp_code: text(6).min(4) });

export const codeBody = json(CodeBody);
export const loginBody = json(LoginBody);
export const refreshBody = json(z.object({ refresh_token: text(200).min(1) }));

/** Sends a code to the body's contact. */
export async function sendLoginCode(
  c: RequestContext<LinkBindings>,
  body: z.infer<typeof CodeBody>,
): Promise<z.infer<typeof Told>> {
  await sendCode(c, codesOf(c), contactOf(body, keyed(c).business));
  return told("A code is on its way.");
}

/** Logs in with the body's code; with a session's token beside it, a new contact joins its account. */
export async function logInWithCode(
  c: RequestContext<LinkBindings>,
  { otp_code, ...body }: z.infer<typeof LoginBody>,
): Promise<z.infer<typeof LoggedIn>> {
  const { business } = keyed(c);
  const contact = contactOf(body, business);
  await redeemCode(await codeContext(c, codesOf(c)), { contact, code: otp_code });
  const holder = c.get("linkSession")?.account ?? null;
  const login = { contact, mode: business.mode, holder };
  const issued = await logIn(linkContext(c), { ...login, ...deviceOf(c) });
  return {
    ...told("You are logged in."),
    ...(await viewTokens(c.get("settings"), issued)),
    account_id: issued.account.id,
    customer_id: issued.account.customerId,
  };
}

/** The next pair of tokens for one that works once. */
export async function refreshed(
  c: RequestContext,
  refreshToken: string,
): Promise<z.infer<typeof Refreshed>> {
  const settings = c.get("settings");
  const issued = await refreshSession(linkContext(c), {
    refreshToken,
    requestKey: idempotencyKeyOf(c),
    secret: await secretFor(settings, "link refresh tokens"),
  });
  if (issued.isRepeat) c.header("Idempotency-Replayed", "true");
  return { success: true as const, ...(await viewTokens(settings, issued)) };
}

/** Link's codes for callers of the key's mode: everybody knows the code of test mode. */
const codesOf = (c: RequestContext) => ({
  db: coreOf(c),
  audience: linkAudience(keyed(c).business.mode),
});
