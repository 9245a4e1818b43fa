import type { Context } from "hono";
import { idempotencyRepo } from "../../shared/database/index.ts";
import { hmacSha256, minute } from "../../shared/kernel/index.ts";
import { linkSessionRepo, type OpenSession } from "../../shared/link/index.ts";
import type { RequestContext, SurfaceEnv } from "../http/api-env.ts";
import { demand, type OwnAccess, publishableKey } from "../http/authentication/access.ts";
import { unauthorized } from "../http/errors.ts";
import { type AnswersOf, routeOf } from "../http/idempotency/idempotency.ts";
import { demandRoom, networkOfCaller } from "../http/rate-limits/rate-limit.ts";
import { chance } from "../runtime/runtime.ts";
import { secretFor } from "../runtime/secrets.ts";
import { coreOf } from "./context.ts";
import { readSessionToken } from "./session-token.ts";

/**
 * Kept in CORE for the account that asks; for a caller without one under what else came along, whose
 * request is compared like any other. The deployment's secret seals them, and names whose they are:
 * under another secret there is nothing that could not be read.
 */
const answersOf: AnswersOf = async (c, key) => {
  const secret = await secretFor(c.get("settings"), "link answers");
  const caller = await hmacSha256(secret, callerOf(c));
  const slot = { businessId: "link", caller, route: routeOf(c), key };
  return {
    slot: idempotencyRepo(coreOf(c), slot),
    secret: await hmacSha256(secret, JSON.stringify([caller, key])),
    in: "core",
  };
};

/** The account; else the publishable key, which says how a contact is read and in which mode. */
function callerOf(c: RequestContext): string {
  const caller = c.get("caller");
  return c.get("linkSession")?.account.id ?? (caller.type === "keyed" ? caller.key.id : "guest");
}

/** A Link session's token. It is asked for anew at every call, so that a revoked session is over at once. */
export const linkSession: OwnAccess = {
  kind: "own",
  security: [{ linkSession: [] }],
  answersOf,
  async demand(c, next) {
    c.set("linkSession", await demandSession(c));
    await next();
  },
};

/** A Link session's token, or none: then the body says by what right. */
export const sessionIfSent: OwnAccess = {
  kind: "own",
  security: [{ linkSession: [] }, {}],
  answersOf,
  async demand(c, next) {
    await takeSession(c);
    await next();
  },
};

const demandKey = demand(publishableKey);

const withKey = [{ publishableKey: [] }, { publishableKey: [], linkSession: [] }];

/** How many contacts an address may enrol in a minute that nobody logged in with: the answer says whether one is new. */
const strangersEnrolledPerMinute = 60;

/** A publishable key of any business, and a Link session's token if there is one; without, it is rationed. */
export const keyAndSessionIfSent: OwnAccess = {
  kind: "own",
  security: withKey,
  answersOf,
  demand: (c, next) =>
    demandKey(c, async () => {
      await takeSession(c);
      if (c.get("linkSession") === null) {
        const name = `link-enrolment:${networkOfCaller(c)}`;
        await demandRoom(c, { name, limit: strangersEnrolledPerMinute, windowMs: minute });
      }
      await next();
    }),
};

/**
 * As `keyAndSessionIfSent`, for logging in, which an outdated token must not keep anybody from.
 * Answers are not kept: a code works once.
 */
export const keyAndSessionIfAny: OwnAccess = {
  kind: "own",
  security: withKey,
  answersOf: null,
  demand: (c, next) =>
    demandKey(c, async () => {
      c.set("linkSession", await sessionOfBearer(c));
      await next();
    }),
};

/** How often an address may ask whether a contact is a Link customer (completions.md 13). */
const statusPerMinute = 10;

/** A publishable key of any business, for a call that tells something of strangers. */
export const keySparingly: OwnAccess = {
  kind: "own",
  security: [{ publishableKey: [] }],
  answersOf: null,
  async demand(c, next) {
    const name = `link-status:${networkOfCaller(c)}`;
    await demandRoom(c, { name, limit: statusPerMinute, windowMs: minute });
    return demandKey(c, next);
  },
};

/** No credential but what the body brings; answers are not kept, since what they hold works once. */
export const nobodys: OwnAccess = {
  kind: "own",
  security: [{}],
  answersOf: null,
  demand: (_, next) => next(),
};

async function takeSession(c: Context<SurfaceEnv>): Promise<void> {
  if (c.req.header("authorization") !== undefined) c.set("linkSession", await demandSession(c));
}

/** The session of the bearer's token; null for none, and for one that is over. */
async function sessionOfBearer(c: RequestContext): Promise<OpenSession | null> {
  const token = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  const claims = token === undefined ? null : await readSessionToken(c.get("settings"), token);
  return claims && linkSessionRepo(coreOf(c)).open(claims, chance.now());
}

async function demandSession(c: RequestContext): Promise<OpenSession> {
  const session = await sessionOfBearer(c);
  if (session) return session;
  throw unauthorized("Send a session_token as Authorization: Bearer; refresh it or log in again.");
}
