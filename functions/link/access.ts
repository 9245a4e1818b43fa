import type { Context } from "hono";
import { idempotencyRepo } from "../../shared/database/index.ts";
import { hmacSha256, hour, minute } from "../../shared/kernel/index.ts";
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
 * Stores responses in CORE by account or by the caller's key. The record's name and encryption
 * depend on the deployment's secret: after a change of the secret, no old record is found.
 */
const storeByLinkSession: SelectResponseStore = async (c, key) => {
  const secret = await deriveSecret(c.get("settings"), "link answers");
  const caller = await hmacSha256(secret, callerIdOf(c));
  const recordKey = { businessId: "link", caller, route: routeKeyOf(c), key };
  return {
    record: idempotencyRepo(openCore(c), recordKey),
    secret: await hmacSha256(secret, JSON.stringify([caller, key])),
    database: "core",
  };
};

/**
 * The account, or without one the publishable key. The key decides the mode and how contacts are
 * parsed, so responses for different keys may differ.
 */
function callerIdOf(c: RequestContext): string {
  const caller = c.get("caller");
  return c.get("linkSession")?.account.id ?? (caller.type === "keyed" ? caller.key.id : "guest");
}

/**
 * Requires a Link session's token. Every call reads the session, so a revoked token fails
 * immediately.
 */
export const linkSessionRequired: CustomAccess = {
  kind: "custom",
  security: [{ linkSession: [] }],
  responseStore: storeByLinkSession,
  async check(c, next) {
    c.set("linkSession", await requireBearerSession(c));
    await next();
  },
};

/** Accepts a Link session's token. Without one, the body must contain another credential. */
export const linkSessionOptional: CustomAccess = {
  kind: "custom",
  security: [{ linkSession: [] }, {}],
  responseStore: storeByLinkSession,
  async check(c, next) {
    await loadSessionIfSent(c);
    if (c.get("linkSession") === null) await countAnonymousCall(c, "order");
    await next();
  },
};

const assertKey = assertAccess(publishableKey);

/** The limit of enrolments without a login per client network (docs/contract/link.md#enroll-limit). */
const anonymousEnrolmentsPerHour = 60;

/**
 * Counts an enrolment whose caller is not the contact's owner. Orders are counted apart.
 *
 * @throws Refusal RATE_LIMITED with retry_after_ms.
 */
export async function countAnonymousCall(
  c: Parameters<typeof assertWithinLimit>[0],
  kind: "contact" | "order",
): Promise<void> {
  const name = `link-enrolment-${kind}:${callerNetwork(c)}`;
  await assertWithinLimit(c, { name, limit: anonymousEnrolmentsPerHour, windowMs: hour });
}

/**
 * Requires a publishable key and accepts a Link session's token. Without a token the call is rate
 * limited.
 */
export const keyWithOptionalSession: CustomAccess = {
  kind: "custom",
  security: [{ publishableKey: [] }, { publishableKey: [], linkSession: [] }],
  responseStore: storeByLinkSession,
  check: (c, next) =>
    assertKey(c, async () => {
      await loadSessionIfSent(c);
      if (c.get("linkSession") === null) await countAnonymousCall(c, "contact");
      await next();
    }),
};

/** The limit of status checks per client network (docs/contract/link.md#check-status). */
const statusChecksPerMinute = 10;

/** Requires a publishable key. The rate is limited, because the response reveals who uses Link. */
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

/**
 * Requires no credential except the one in the body. Responses are not stored, because the tokens
 * in them work only once.
 */
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

/** The session of the bearer token. Null when the token is missing or its session is not active. */
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
