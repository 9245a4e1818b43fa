import type { Context } from "hono";
import { createMeter, type Meter, openDb } from "../../../shared/database/index.ts";
import { invalid, notFound, sha256 } from "../../../shared/kernel/index.ts";
import {
  type ConsoleSession,
  consoleSessionRepo,
  createConsoleDirectory,
  scopesOfRole,
  shouldExtend,
} from "../../../shared/members/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { ApiEnv } from "../context.ts";
import { forbidden, unauthorized } from "../errors.ts";
import { assertUnauthenticatedWithinLimit } from "../rate-limits/rate-limit.ts";
import type { Caller } from "./caller.ts";
import { assertOwnOrigin, readConsoleToken } from "./console-cookie.ts";

// Loaded by the first call with the console's cookie, so that Workers start without it.

const loginRequired = () => unauthorized("Log in to the console.");

const consoleDirectory = createConsoleDirectory();

/** Ends a login in this isolate at once; others forget it within 5 seconds. */
export const forgetConsoleToken = (token: string): void =>
  consoleDirectory.end(token, runtime.now());

/** Identifies a member by the cookie. The business must be one that the user works for. */
export async function identifyMember(
  c: Context<ApiEnv>,
  {
    businessId,
    assertLookupAllowed,
  }: Readonly<{ businessId: string | null; assertLookupAllowed: () => void }>,
): Promise<Caller> {
  if (businessId === null) {
    const refusal = invalid("X-Business-Id", "is required with the console's cookie");
    return { type: "unauthenticated", refusal };
  }
  const access = await consoleDirectory.find(
    { token: readConsoleToken(c) ?? "", businessId },
    {
      open: (meter: Meter) => openDb(c.env.CORE, meter),
      meter: c.get("meter"),
      now: runtime.now(),
      background: (work) => c.executionCtx.waitUntil(work),
      assertMayLookUp: assertLookupAllowed,
    },
  );
  if (!access) return { type: "unauthenticated", refusal: loginRequired() };
  c.set("consoleSession", access.session);
  if (!access.membership) return { type: "unauthenticated", refusal: notFound("business") };
  const { member, business } = access.membership;
  const { tokenHash, user } = access.session;
  const { role } = member;
  return { type: "member", userId: user.id, role, scopes: scopesOfRole(role), tokenHash, business };
}

/**
 * Requires a login that the operator's token has made an operator
 * (docs/contract/operator.md#operators).
 *
 * @throws Refusal UNAUTHORIZED or FORBIDDEN
 */
export async function assertOperatorLogin(c: Context<ApiEnv>): Promise<void> {
  const { user } = c.get("consoleSession") ?? (await loadConsoleSession(c));
  if (c.req.method !== "GET") assertOwnOrigin(c);
  if (!user.isOperator) throw forbidden("Only operators may make this call.");
}

/**
 * Reads the login of the console's cookie from the database, for calls that name no business.
 *
 * @throws Refusal UNAUTHORIZED without a login.
 */
export async function loadConsoleSession(c: Context<ApiEnv>): Promise<ConsoleSession> {
  const token = readConsoleToken(c);
  if (token === null) throw loginRequired();
  assertUnauthenticatedWithinLimit(c);
  const now = runtime.now();
  const sessions = consoleSessionRepo(openDb(c.env.CORE, c.get("meter")));
  const session = await sessions.find(await sha256(token), now);
  if (session === null) throw loginRequired();
  if (shouldExtend(session, now)) {
    const { extend } = consoleSessionRepo(openDb(c.env.CORE, createMeter()));
    c.executionCtx.waitUntil(extend(session, now).catch(() => {}));
  }
  c.set("consoleSession", session);
  return session;
}
