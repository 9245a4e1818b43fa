import { parse } from "hono/utils/cookie";
import { jwtVerify, SignJWT } from "jose";
import { day, second } from "../../../shared/kernel/index.ts";
import { chance } from "../../runtime/runtime.ts";
import type { RequestContext } from "../api-env.ts";
import { keyed } from "../context.ts";

const cookieName = "__Host-session";
/** How long a cookie is good for after it was signed (completions.md 3). */
export const sessionLifetimeMs = 30 * day;
/** A cookie older than this is signed anew, so that a used session never ends. */
const renewAfterMs = day;

/** A session as its cookie names it; whether its generation is the current one, its object knows. */
export type Session = Readonly<{
  id: string;
  /** Raised by every login and logout: whoever bears an earlier one is a stranger to the session. */
  generation: number;
  /** The generation since which it is of no other customer: its conversation is named by it. */
  ownedSince: number;
  /** When the cookie was signed, and until when it is good, in epoch milliseconds. */
  issuedAt: number;
  expiresAt: number;
}>;

/**
 * The session that the caller's cookie names; null without one, or with one that was tampered with
 * or is another business's (completions.md 3).
 */
export async function sessionOf(c: RequestContext): Promise<Session | null> {
  const cookie = parse(c.req.header("cookie") ?? "", cookieName)[cookieName];
  if (cookie === undefined) return null;
  try {
    const { payload } = await jwtVerify(cookie, await signingKey(c.get("settings").sessionSecret), {
      algorithms: ["HS256"],
      audience: keyed(c).business.id,
      requiredClaims: ["sub", "iat", "exp"],
      currentDate: new Date(chance.now()),
    });
    const { sub, gen = 0, own = 0, iat, exp } = payload;
    return {
      id: String(sub),
      generation: Number(gen),
      ownedSince: Number(own),
      issuedAt: Number(iat) * second,
      expiresAt: Number(exp) * second,
    };
  } catch {
    return null; // whatever is wrong with it, the caller is a stranger and gets a session of their own
  }
}

/** Sends the caller off with a fresh anonymous session: nothing is stored by it. */
export const startSession = (c: RequestContext): Promise<Session> =>
  sendCookie(c, { id: chance.newId("ses"), generation: 0, ownedSince: 0 });

/** Signs a session anew that is still good, at most once a day, so that a used one never ends. */
export const renewSession = async (c: RequestContext, session: Session): Promise<Session> =>
  chance.now() - session.issuedAt < renewAfterMs ? session : sendCookie(c, session);

/** Gives the caller's browser a session's cookie. */
export async function sendCookie(
  c: RequestContext,
  { id, generation, ownedSince }: Pick<Session, "id" | "generation" | "ownedSince">,
): Promise<Session> {
  const now = Math.floor(chance.now() / second);
  const until = now + sessionLifetimeMs / second;
  const token = await new SignJWT({ gen: generation, own: ownedSince })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(id)
    .setAudience(keyed(c).business.id)
    .setIssuedAt(now)
    .setExpirationTime(until)
    .sign(await signingKey(c.get("settings").sessionSecret));
  setCookie(c, token, sessionLifetimeMs / second);
  return { id, generation, ownedSince, issuedAt: now * second, expiresAt: until * second };
}

/** Takes the cookie out of the caller's browser. */
export const dropCookie = (c: RequestContext): void => setCookie(c, "", 0);

function setCookie(c: RequestContext, value: string, maxAge: number): void {
  const attributes = "HttpOnly; Secure; SameSite=None; Partitioned";
  c.header("Set-Cookie", `${cookieName}=${value}; Path=/; Max-Age=${maxAge}; ${attributes}`);
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
