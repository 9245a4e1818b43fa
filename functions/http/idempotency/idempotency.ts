import type { Context, MiddlewareHandler } from "hono";
import { idempotencyRepo, openDb, shardsOf, shopOf } from "../../../shared/database/index.ts";
import { hmacSha256, sha256 } from "../../../shared/kernel/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import { deriveSecret } from "../../runtime/secrets.ts";
import { readApiKey } from "../authentication/access.ts";
import { callerId } from "../authentication/caller.ts";
import { type ApiEnv, type RequestContext, requireCaller } from "../context.ts";
import { digestBody, readDigest } from "./body-digest.ts";
import { type ReplayBehavior, runWithDeferredClaim } from "./deferred-claim.ts";
import { fingerprintBody, readIdempotencyKey } from "./idempotency-key.ts";
import {
  type ResponseStore,
  refusalForRepeat,
  replayResponse,
  runResultOf,
  type SelectResponseStore,
  storeRunResult,
} from "./response-store.ts";

/** The body that a route takes. A file is streamed, and is digested while the handler reads it. */
export type BodyKind = "json" | "file" | "none";

/**
 * Replays the stored response of a repeated request (docs/contract/conventions.md#idempotency).
 * Costs two D1 round trips, or at most one when `replay` is set. Costs none without the header.
 */
export const idempotencyMiddleware = ({
  bodyKind,
  selectStore,
  replay,
  resumable,
}: {
  bodyKind: BodyKind;
  selectStore: SelectResponseStore;
  /** Undefined when the call must not run twice. */
  replay: ReplayBehavior | undefined;
  /** Whether a second run continues where the first one stopped. */
  resumable: boolean;
}): MiddlewareHandler<ApiEnv> =>
  async function idempotency(c, next) {
    const key = readIdempotencyKey(c);
    if (key === null) return next();
    const store = await selectStore(c, key);
    if (store === null) return next();
    const fingerprint = await fingerprintRequest(c, bodyKind);
    if (replay) return runWithDeferredClaim(c, next, { store, fingerprint, replay });
    const claim = await store.record.claim(fingerprint, runtime.now());
    switch (claim.type) {
      case "different_request":
      case "running":
      case "committed":
        throw refusalForRepeat(claim);
      case "responded":
        if (!(await isSameFile(c, claim.contentDigest))) {
          throw refusalForRepeat({ type: "different_request" });
        }
        return replayResponse(store, claim);
      case "claimed": {
        if (!resumable) {
          const mark = store.record.mark(claim.leaseUntil);
          c.set("idempotencyMark", { in: store.database, ...mark });
        }
        const digestRead = bodyKind === "file" ? digestWhileRead(c) : null;
        await next();
        const contentDigest = digestRead && (await digestRead());
        // Another file with the same beginning must not get the response to an unread end.
        const isUnread = digestRead !== null && contentDigest === null;
        await storeRunResult(c, store, {
          result: isUnread ? { type: "undecided" } : runResultOf(c),
          leaseUntil: claim.leaseUntil,
          contentDigest,
        });
      }
    }
  };

/** Digests the request's body while the handler reads it. Null for a request without a body. */
function digestWhileRead(c: Context<ApiEnv>): (() => Promise<string | null>) | null {
  const { raw } = c.req;
  if (raw.body === null) return null;
  const { body, digest } = digestBody(raw.body, c.req.header("content-type"));
  c.req.raw = new Request(raw, { body });
  return async () => signDigest(c, await digest());
}

/** Whether the body of a repeated request is the file of the first one. */
async function isSameFile(c: RequestContext, contentDigest: string | null): Promise<boolean> {
  if (contentDigest === null) return true;
  const { body } = c.req.raw;
  if (body === null) return false;
  const digest = await readDigest(body, c.req.header("content-type"));
  return (await signDigest(c, digest)) === contentDigest;
}

const signDigest = async (c: RequestContext, digest: string | null): Promise<string | null> =>
  digest && hmacSha256(await deriveSecret(c.get("settings"), "request fingerprints"), digest);

/**
 * Stores responses in the business's shard, encrypted with the API key. Some responses contain a
 * secret that is shown only once, so only the same API key can decrypt them.
 */
export const storeByApiKey: SelectResponseStore = (c, key) => {
  const { business } = requireCaller(c);
  const shop = shopOf(shardsOf(c.env, c.get("settings").shopShards), business);
  return createCallerStore(c, { key, database: "shop", client: shop });
};

/**
 * Like `storeByApiKey`, for a write to CORE. The change and the response are in one database, so
 * one batch writes both.
 */
export const storeByApiKeyInCore: SelectResponseStore = (c, key) =>
  createCallerStore(c, { key, database: "core", client: c.env.CORE });

async function createCallerStore(
  c: RequestContext,
  {
    key,
    database,
    client,
  }: Readonly<{ key: string; database: ResponseStore["database"]; client: D1Database }>,
): Promise<ResponseStore> {
  const caller = requireCaller(c);
  const record = idempotencyRepo(openDb(client, c.get("meter")), {
    businessId: caller.business.id,
    caller: callerId(caller),
    route: routeKeyOf(c),
    key,
  });
  const secret =
    caller.type === "keyed" ? (readApiKey(c) ?? "") : await deriveUserSecret(c, caller.userId);
  return { record, secret, database };
}

/** A user's secret outlives a login, so that a repeat after the next login gets the response. */
const deriveUserSecret = async (c: Pick<RequestContext, "get">, userId: string): Promise<string> =>
  hmacSha256(await deriveSecret(c.get("settings"), "member answers"), userId);

/** Stores the responses to a user's own calls at the console, in CORE. */
export const storeByConsoleUser: SelectResponseStore = async (c, key) => {
  const userId = c.get("consoleSession")?.user.id ?? "";
  const record = idempotencyRepo(openDb(c.env.CORE, c.get("meter")), {
    businessId: "console",
    caller: userId,
    route: routeKeyOf(c),
    key,
  });
  return { record, secret: await deriveUserSecret(c, userId), database: "core" };
};

/**
 * Stores the operator's responses in CORE, because a business that is being created has no shard
 * yet.
 */
export const storeByOperator: SelectResponseStore = async (c, key) => {
  const userId = c.get("consoleSession")?.user.id;
  const token = c.get("settings").operatorToken ?? "";
  const record = idempotencyRepo(openDb(c.env.CORE, c.get("meter")), {
    businessId: "operator",
    caller: userId ?? (await sha256(token)),
    route: routeKeyOf(c),
    key,
  });
  const secret = userId === undefined ? token : await deriveUserSecret(c, userId);
  return { record, secret, database: "core" };
};

/** For a write to CORE that the merchant or the operator makes. */
export const storeByApiKeyOrOperator: SelectResponseStore = (c, key) =>
  c.get("isOperator") ? storeByOperator(c, key) : storeByApiKeyInCore(c, key);

/** The same Idempotency-Key on another route is another key. */
export const routeKeyOf = ({ req }: RequestContext): string => `${req.method} ${req.path}`;

/**
 * A keyed digest of the request. Without the secret, a short body such as a PIN could be guessed. A
 * streamed body is not read here, so its declared length and type represent it until the handler
 * has read it.
 */
async function fingerprintRequest(c: RequestContext, bodyKind: BodyKind): Promise<string> {
  const { search } = new URL(c.req.url);
  const type = c.req.header("content-type")?.split(";")[0] ?? null;
  const request =
    bodyKind === "json"
      ? [search, parseJsonOrText(await c.req.text())]
      : [search, type, c.req.header("content-length") ?? null];
  const secret = await deriveSecret(c.get("settings"), "request fingerprints");
  return hmacSha256(secret, await fingerprintBody(request));
}

function parseJsonOrText(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body; // validation rejects this text later
  }
}
