import type { Context } from "hono";
import { idempotencyRepo } from "../../shared/database/index.ts";
import { hmacSha256, minute } from "../../shared/kernel/index.ts";
import { type ActiveLinkSession, linkSessionRepo } from "../../shared/link/index.ts";
import { assertAccess, type CustomAccess, publishableKey } from "../http/authentication/access.ts";
import type { ApiEnv, RequestContext } from "../http/context.ts";
import { unauthorized } from "../http/errors.ts";
import { routeKeyOf } from "../http/idempotency/idempotency.ts";
import type { SelectResponseStore } from "../http/idempotency/response-store.ts";
import { assertWithinLimit, callerNetwork } from "../http/rate-limits/rate-limit.ts";
import { runtime } from "../runtime/runtime.ts";
import { deriveSecret } from "../runtime/secrets.ts";
import { openCore } from "./context.ts";
import { readSessionToken } from "./session-token.ts";

/**
 * Stores responses in CORE, by account or by the caller's key. Caller and seal are derived from the
 * deployment's secret, so that a changed secret finds no record instead of an unreadable one.
 */
const storeByLinkSession: SelectResponseStore = async (c, key) => {
  const secret = await deriveSecret(c.get("settings"), "link answers");
  const caller = await hmacSha256(secret, callerIdOf(c));
  const slot = { businessId: "link", caller, route: routeKeyOf(c), key };
  return {
    record: idempotencyRepo(openCore(c), slot),
    secret: await hmacSha256(secret, JSON.stringify([caller, key])),
    database: "core",
  };
};

/** The account; else the publishable key, which decides the mode and how a contact is parsed. */
function callerIdOf(c: RequestContext): string {
  const caller = c.get("caller");
  return c.get("linkSession")?.account.id ?? (caller.type === "keyed" ? caller.key.id : "guest");
}

/** A Link session's token. The session is read on every call, so that a revocation is immediate. */
export const linkSessionRequired: CustomAccess = {
  kind: "custom",
  security: [{ linkSession: [] }],
  responseStore: storeByLinkSession,
  async check(c, next) {
    c.set("linkSession", await requireBearerSession(c));
    await next();
  },
};

/** A Link session's token, or none; then the body must hold a credential. */
export const linkSessionOptional: CustomAccess = {
  kind: "custom",
  security: [{ linkSession: [] }, {}],
  responseStore: storeByLinkSession,
  async check(c, next) {
    await loadSessionIfSent(c);
    await next();
  },
};

const assertKey = assertAccess(publishableKey);

const keySecurity = [{ publishableKey: [] }, { publishableKey: [], linkSession: [] }];

/** Limited, because the response reveals whether a contact is new. */
const anonymousEnrolmentsPerMinute = 60;

/** A publishable key and optionally a Link session's token; without one the calls are limited. */
export const keyWithOptionalSession: CustomAccess = {
  kind: "custom",
  security: keySecurity,
  responseStore: storeByLinkSession,
  check: (c, next) =>
    assertKey(c, async () => {
      await loadSessionIfSent(c);
      if (c.get("linkSession") === null) {
        const name = `link-enrolment:${callerNetwork(c)}`;
        await assertWithinLimit(c, { name, limit: anonymousEnrolmentsPerMinute, windowMs: minute });
      }
      await next();
    }),
};

/**
 * A publishable key for logging in; an invalid session token is ignored. Responses are not stored,
 * because a code works once.
 */
export const keyForLogin: CustomAccess = {
  kind: "custom",
  security: keySecurity,
  responseStore: null,
  check: (c, next) =>
    assertKey(c, async () => {
      c.set("linkSession", await findBearerSession(c));
      await next();
    }),
};

/** Status checks per network address (docs/contract/link.md#check-status). */
const statusChecksPerMinute = 10;

/** A publishable key for a limited call, because it reveals who is a Link customer. */
export const keyForStatusCheck: CustomAccess = {
  kind: "custom",
  security: [{ publishableKey: [] }],
  responseStore: null,
  async check(c, next) {
    const name = `link-status:${callerNetwork(c)}`;
    await assertWithinLimit(c, { name, limit: statusChecksPerMinute, windowMs: minute });
    return assertKey(c, next);
  },
};

/** No credential but the body's. Responses are not stored, because their tokens work once. */
export const anonymous: CustomAccess = {
  kind: "custom",
  security: [{}],
  responseStore: null,
  check: (_, next) => next(),
};

async function loadSessionIfSent(c: Context<ApiEnv>): Promise<void> {
  if (c.req.header("authorization") !== undefined)
    c.set("linkSession", await requireBearerSession(c));
}

/** The session of the bearer token; null without an active one. */
async function findBearerSession(c: RequestContext): Promise<ActiveLinkSession | null> {
  const token = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  const claims = token === undefined ? null : await readSessionToken(c.get("settings"), token);
  return claims && linkSessionRepo(openCore(c)).findActive(claims, runtime.now());
}

async function requireBearerSession(c: RequestContext): Promise<ActiveLinkSession> {
  const session = await findBearerSession(c);
  if (session) return session;
  throw unauthorized(
    "Send a valid session_token as Authorization: Bearer. Refresh it or log in again.",
  );
}
