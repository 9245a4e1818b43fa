import type { MiddlewareHandler } from "hono";
import { idempotencyRepo, openDb, shardsOf, shopOf } from "../../../shared/database/index.ts";
import { hmacSha256, sha256 } from "../../../shared/kernel/index.ts";
import { chance } from "../../runtime/runtime.ts";
import { secretFor } from "../../runtime/secrets.ts";
import type { RequestContext, SurfaceEnv } from "../api-env.ts";
import { keyTextOf } from "../authentication/caller.ts";
import { keyed } from "../context.ts";
import { type KeptAnswers, keep, outcomeOf, refusalOf, replay } from "./answers.ts";
import { runClaiming, type SecondRun } from "./claiming.ts";
import { fingerprintOf, idempotencyKeyOf } from "./key.ts";

/** Null for a caller whom nothing can be kept for: a stranger whose session this very call begins. */
export type AnswersOf = (
  c: RequestContext,
  key: string,
) => KeptAnswers | Promise<KeptAnswers | null>;

/**
 * Answers a repeated request instead of repeating it (completions.md 6), for the calls whose
 * answers are kept in D1. Costs two round trips, one or none for a row that knows its repeats (`Row` in
 * contract.ts), and none without the header.
 */
export const idempotent = ({
  takesJson,
  answersOf,
  knowsRepeats,
  goesOn,
}: {
  takesJson: boolean;
  answersOf: AnswersOf;
  /** Null where it has to be prevented. */
  knowsRepeats: SecondRun | null;
  /** Whether a second run finishes what the first one began. */
  goesOn: boolean;
}): MiddlewareHandler<SurfaceEnv> =>
  async function idempotent(c, next) {
    const key = idempotencyKeyOf(c);
    if (key === null) return next();
    const answers = await answersOf(c, key);
    if (answers === null) return next();
    const request = await requestOf(c, takesJson);
    if (knowsRepeats) return runClaiming(c, next, { answers, request, secondRun: knowsRepeats });
    const claim = await answers.slot.claim(request, chance.now());
    switch (claim.type) {
      case "other-request":
      case "running":
      case "done":
        throw refusalOf(claim);
      case "answered":
        return replay(answers, claim);
      case "claimed":
        if (!goesOn) c.set("seal", { in: answers.in, ...answers.slot.seal(claim.leaseUntil) });
        await next();
        await keep(c, answers, { outcome: outcomeOf(c), leaseUntil: claim.leaseUntil });
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
  return { slot, secret: keyTextOf(c) ?? "", in: "shop" };
};

/** As `answersOfKey`, of a write whose change is in CORE: kept there, so that one batch has both. */
export const answersOfKeyInCore: AnswersOf = (c, key) => {
  const { key: apiKey, business } = keyed(c);
  const slot = idempotencyRepo(openDb(c.env.CORE, c.get("meter")), {
    businessId: business.id,
    caller: apiKey.id,
    route: routeOf(c),
    key,
  });
  return { slot, secret: keyTextOf(c) ?? "", in: "core" };
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
  return { slot, secret: token, in: "core" };
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
