import { second } from "../../shared/kernel/index.ts";
import {
  type ConsoleContext,
  type ConsoleSession,
  consoleSessionTtlMs,
} from "../../shared/members/index.ts";
import { consoleAudience } from "../../shared/one-time-codes/index.ts";
import type { CustomAccess } from "../http/authentication/access.ts";
import {
  assertOwnOrigin,
  consoleCookieHeader,
  readConsoleToken,
} from "../http/authentication/console-cookie.ts";
import { forgetConsoleToken, loadConsoleSession } from "../http/authentication/console-login.ts";
import type { RequestContext } from "../http/context.ts";
import { unauthorized } from "../http/errors.ts";
import { storeByConsoleUser } from "../http/idempotency/idempotency.ts";
import { runtime } from "../runtime/runtime.ts";
import { openCore } from "./context.ts";

/**
 * Requires no credential except the one in the body. Responses are not stored, because a code works
 * once. A page of another host cannot log anybody in: a browser names its origin.
 */
export const loginAccess: CustomAccess = {
  kind: "custom",
  security: [{}],
  responseStore: null,
  check: (c, next) => {
    if (c.req.header("origin") !== undefined) assertOwnOrigin(c);
    return next();
  },
};

/** Requires the console's cookie. Every call reads the session, so a logout takes effect at once. */
export const consoleLogin: CustomAccess = {
  kind: "custom",
  security: [{ consoleSession: [] }],
  responseStore: storeByConsoleUser,
  async check(c, next) {
    await loadConsoleSession(c);
    if (c.req.method !== "GET") assertOwnOrigin(c);
    await next();
  },
};

/** Ends a login, or a login that has ended already. */
export const logoutAccess: CustomAccess = {
  kind: "custom",
  security: [{ consoleSession: [] }, {}],
  responseStore: null,
  check: (c, next) => {
    if (readConsoleToken(c) !== null) assertOwnOrigin(c);
    return next();
  },
};

/** The login of the call. The route's access check has read it. */
export function requireConsoleSession(c: Pick<RequestContext, "get">): ConsoleSession {
  const session = c.get("consoleSession");
  if (session === null) throw unauthorized("Log in to the console.");
  return session;
}

export const createConsoleContext = (c: RequestContext): ConsoleContext => ({
  ...runtime,
  core: openCore(c),
});

/** The codes of the console. In development all of them can be 123456. */
export const consoleCodes = (c: RequestContext) => ({
  db: openCore(c),
  audience: consoleAudience(c.get("settings").consoleTestCodes ? "test" : "live"),
  shard: null,
});

/** Gives the browser the cookie of a new login, which has ended that of an earlier cookie. */
export function sendLoginCookie(c: RequestContext, token: string): void {
  forgetSentToken(c);
  c.header("Set-Cookie", consoleCookieHeader(token, consoleSessionTtlMs / second));
}

/** Removes the cookie of a login that has ended from the browser. */
export function clearLoginCookie(c: RequestContext): void {
  forgetSentToken(c);
  c.header("Set-Cookie", consoleCookieHeader("", 0));
}

function forgetSentToken(c: RequestContext): void {
  const token = readConsoleToken(c);
  if (token !== null) forgetConsoleToken(token);
}
