import type { MiddlewareHandler } from "hono";
import { idempotencyRepo, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { conflict, hmacSha256, Refusal, sha256, stackOf } from "../../shared/kernel/index.ts";
import { keyTextOf } from "./caller.ts";
import { chance } from "./chance.ts";
import { keyed } from "./context.ts";
import { fingerprintOf, idempotencyKeyOf } from "./idempotency-key.ts";
import { log } from "./log.ts";
import { seal, unseal } from "./sealed.ts";
import { secretFor } from "./secrets.ts";
import type { RequestContext, SurfaceEnv } from "./surface-env.ts";

type Slot = ReturnType<typeof idempotencyRepo>;

/** Where a caller's answers are kept, and the secret without which they cannot be read again. */
export type KeptAnswers = Readonly<{ slot: Slot; secret: string }>;
/** Null for a caller whom nothing can be kept for: a stranger whose session this very call begins. */
export type AnswersOf = (
  c: RequestContext,
  key: string,
) => KeptAnswers | Promise<KeptAnswers | null>;

/**
 * Answers a repeated request instead of repeating it (completions.md 6), for the calls whose
 * answers are kept in D1. Costs two round trips, and none without the header.
 */
export const idempotent = ({
  takesJson,
  answersOf,
}: {
  takesJson: boolean;
  answersOf: AnswersOf;
}): MiddlewareHandler<SurfaceEnv> =>
  async function idempotent(c, next) {
    const key = idempotencyKeyOf(c);
    if (key === null) return next();
    const answers = await answersOf(c, key);
    if (answers === null) return next();
    const claim = await answers.slot.claim(await requestOf(c, takesJson), chance.now());
    switch (claim.type) {
      case "other-request":
        throw conflict("The Idempotency-Key was used for another request.");
      case "running":
        throw conflict("The first request with this Idempotency-Key is in progress; try again.", {
          retryable: true,
        });
      case "answered":
        return replay(answers, claim);
      case "claimed":
        await next();
        await settle(c, answers, claim.leaseUntil);
    }
  };

/**
 * Of a call with a key: in its business's shard. An answer may hold what is shown once (a new key's
 * text): the asking key alone opens it again.
 */
export const answersOfKey: AnswersOf = (c, key) => {
  const { key: apiKey, business } = keyed(c);
  const meter = c.get("meter");
  const settings = c.get("settings");
  const shop = shopOf(shardsOf(c.env, settings.shopShards), business);
  const slot = idempotencyRepo(openDb(shop, meter), {
    businessId: business.id,
    caller: apiKey.id,
    route: routeOf(c),
    key,
  });
  return { slot, secret: keyTextOf(c) ?? "" };
};

/** Of the operator: in CORE, since the business is yet to come; the token that asks opens them again. */
export const answersOfOperator: AnswersOf = async (c, key) => {
  const token = c.get("settings").operatorToken ?? "";
  const slot = idempotencyRepo(openDb(c.env.CORE, c.get("meter")), {
    businessId: "operator",
    caller: await sha256(token),
    route: routeOf(c),
    key,
  });
  return { slot, secret: token };
};

/** A key used at another route is another key. */
export const routeOf = ({ req }: RequestContext): string => `${req.method} ${req.path}`;

/**
 * A fingerprint of what is asked, under a secret of the deployment: a body may hold no more than a PIN,
 * which a plain digest would give away to whoever tries them all. Under another secret an earlier
 * request is not known again, and so its key is refused rather than run twice. A body that is streamed
 * (an import's file) would have to be held whole to be digested: its declared length and type stand for
 * it. A multipart boundary differs at every attempt, so the type's parameters do not count.
 */
async function requestOf(c: RequestContext, takesJson: boolean): Promise<string> {
  const { search } = new URL(c.req.url);
  const type = c.req.header("content-type")?.split(";")[0] ?? null;
  const asked = takesJson
    ? [search, parsed(await c.req.text())]
    : [search, type, c.req.header("content-length") ?? null];
  const secret = await secretFor(c.get("settings"), "request fingerprints");
  return hmacSha256(secret, await fingerprintOf(asked));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body; // the row refuses it by itself
  }
}

async function replay(
  { secret }: KeptAnswers,
  { status, body }: { status: number; body: string },
): Promise<Response> {
  const text = await unseal(body, secret);
  const replayed = { "Idempotency-Replayed": "true" };
  if (text === "") return new Response(null, { status, headers: replayed }); // a 204 has no body at all
  return new Response(text, {
    status,
    headers: { "Content-Type": "application/json", ...replayed },
  });
}

/** Keeps what was decided. When that fails the answer still stands, and the lease runs out. */
async function settle(
  c: RequestContext,
  { slot, secret }: KeptAnswers,
  leaseUntil: number,
): Promise<void> {
  const { status } = c.res;
  try {
    if (status >= 500) return await slot.reopen(leaseUntil);
    if (!isDefinite(c)) return await slot.forget(leaseUntil);
    const body = await seal(await c.res.clone().text(), secret);
    await slot.store(leaseUntil, { status, body });
  } catch (error) {
    log("error", "answer not kept", { request_id: c.get("requestId"), stack: stackOf(error) });
  }
}

const undecided: readonly number[] = [400, 401, 403, 429];

const isDefinite = (c: RequestContext): boolean =>
  !undecided.includes(c.res.status) && !(c.error instanceof Refusal && c.error.retryable);
