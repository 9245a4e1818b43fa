import { parse } from "hono/utils/cookie";
import { jwtVerify, SignJWT } from "jose";
import { day, second } from "../../shared/kernel/index.ts";
import { chance } from "./chance.ts";
import { keyed } from "./context.ts";
import type { RequestContext } from "./surface-env.ts";

const cookieName = "__Host-session";
const lifetimeMs = 30 * day;
/** A cookie older than this is signed anew, so that a used session never ends. */
const renewAfterMs = day;

export type Session = Readonly<{ id: string }>;

/**
 * The caller's session with this business (completions.md 3). A caller without one, or with a
 * cookie that was tampered with or is another business's, gets a fresh anonymous one.
 */
export async function sessionOf(c: RequestContext): Promise<Session> {
  const { business } = keyed(c);
  const known = await verified(c, business.id);
  if (known && chance.now() - known.issuedAt < renewAfterMs) return { id: known.id };
  const id = known?.id ?? chance.newId("ses");
  await setCookie(c, id, business.id);
  return { id };
}

async function verified(
  c: RequestContext,
  businessId: string,
): Promise<{ id: string; issuedAt: number } | null> {
  const cookie = parse(c.req.header("cookie") ?? "", cookieName)[cookieName];
  if (cookie === undefined) return null;
  try {
    const { payload } = await jwtVerify(cookie, await signingKey(c.get("settings").sessionSecret), {
      algorithms: ["HS256"],
      audience: businessId,
      requiredClaims: ["sub", "iat", "exp"],
      currentDate: new Date(chance.now()),
    });
    return { id: String(payload.sub), issuedAt: Number(payload.iat) * second };
  } catch {
    return null; // whatever is wrong with it, the caller is a stranger and gets a session of their own
  }
}

async function setCookie(c: RequestContext, id: string, businessId: string): Promise<void> {
  const now = Math.floor(chance.now() / second);
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(id)
    .setAudience(businessId)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeMs / second)
    .sign(await signingKey(c.get("settings").sessionSecret));
  c.header(
    "Set-Cookie",
    `${cookieName}=${token}; Path=/; Max-Age=${lifetimeMs / second}; HttpOnly; Secure; SameSite=None; Partitioned`,
    { append: true },
  );
}

// Keys, not promises of them: what one request awaits must not hang on another's life.
const keys = new Map<string, CryptoKey>();

async function signingKey(secret: string): Promise<CryptoKey> {
  const known = keys.get(secret);
  if (known) return known;
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign", "verify"],
  );
  keys.set(secret, key);
  return key;
}
