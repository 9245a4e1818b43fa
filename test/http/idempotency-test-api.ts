import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { z } from "@hono/zod-openapi";
import { afterEach, beforeEach, vi } from "vitest";
import { createApi, createRoutes } from "../../functions/http/app.ts";
import { publishableKey, secretKey } from "../../functions/http/authentication/access.ts";
import { createContext, type RequestContext } from "../../functions/http/context.ts";
import { envelope, requireJson, route } from "../../functions/http/contract.ts";
import { commit } from "../../shared/database/index.ts";
import { orderRepo } from "../../shared/orders/index.ts";
import { createFaultyDatabase, type DatabaseFault } from "../checkout/faults/faulty-database.ts";
import { createBusiness } from "../support/world.ts";

/**
 * Counts the handler runs; `effect` runs before each response, `before` ahead of the first database
 * call.
 */
export const handlerRuns: {
  count: number;
  effect: (run: number) => Promise<void> | void;
  before: () => void;
} = { count: 0, effect: () => {}, before: () => {} };

/** Resets the runs before each test, and holds the clock. */
export function resetRunsBeforeEach(): void {
  beforeEach(() => {
    handlerRuns.count = 0;
    handlerRuns.effect = () => {};
    handlerRuns.before = () => {};
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

async function runHandler() {
  handlerRuns.count += 1;
  const run = handlerRuns.count;
  await handlerRuns.effect(run);
  return envelope({ run });
}

/** Runs a handler that calls the database first, after `handlerRuns.before`. */
async function runResumableHandler(c: RequestContext) {
  handlerRuns.before();
  const ctx = createContext(c, { type: "anonymous" });
  await ctx.db.batch([orderRepo(ctx).numberOf("ord_none"), orderRepo(ctx).numberOf("ord_none")]);
  return runHandler();
}

/** Commits one audit entry, which names the run, after `handlerRuns.effect`. */
async function runAuditedHandler(c: RequestContext) {
  const result = await runHandler();
  const audit = [{ action: "test.run", entity: `run ${result.data.run}` }];
  await commit(createContext(c, { type: "anonymous" }), { writes: [], audit });
  return result;
}

const writeAccess = secretKey("settings:write");
const RunResult = z.object({ run: z.number() });
const body = requireJson(z.object({ name: z.string(), tags: z.array(z.string()).default([]) }));
const csvBody = { content: { "text/csv": { schema: z.string() } }, required: true as const };

const operation = { operationId: "", tag: "Business", summary: "" } as const;

const routes = createRoutes()
  .openapi(
    route("post", "/things", {
      ...operation,
      access: writeAccess,
      body,
      response: RunResult,
      status: 201,
    }),
    async (c) => c.json(await runHandler(), 201),
  )
  .openapi(
    route("post", "/audited", { ...operation, access: writeAccess, body, response: RunResult }),
    async (c) => c.json(await runAuditedHandler(c), 200),
  )
  .openapi(
    route("delete", "/things/{id}", { ...operation, access: writeAccess, response: RunResult }),
    async (c) => c.json(await runHandler(), 200),
  )
  .openapi(
    route("post", "/imports", {
      ...operation,
      access: writeAccess,
      body: csvBody,
      response: RunResult,
    }),
    async (c) => {
      await c.req.raw.text();
      return c.json(await runHandler(), 200);
    },
  )
  .openapi(
    route("post", "/unread", {
      ...{ ...operation, access: writeAccess, body: csvBody, response: RunResult },
    }),
    async (c) => c.json(await runHandler(), 200),
  )
  .openapi(
    route("post", "/resumable", {
      ...{
        ...operation,
        access: writeAccess,
        body,
        response: RunResult,
        status: 201,
        idempotency: { replay: "same" },
      },
    }),
    async (c) => c.json(await runResumableHandler(c), 201),
  )
  .openapi(
    route("post", "/resumable-once", {
      ...{
        ...operation,
        access: writeAccess,
        body,
        response: RunResult,
        status: 201,
        idempotency: { replay: "fresh" },
      },
    }),
    async (c) => c.json(await runResumableHandler(c), 201),
  )
  .openapi(
    route("post", "/shoppers", { ...operation, access: publishableKey, body, response: RunResult }),
    async (c) => c.json(await runHandler(), 200),
  );
const app = createApi().route("/", routes);

type IdempotentCall = Readonly<{
  method?: string;
  path?: string;
  key?: string;
  type?: string;
  body?: BodyInit;
  /** The session secret of the deployment, to test its rotation. */
  sessionSecret?: string;
  /** Replaces database bindings. */
  env?: Partial<typeof env>;
}>;

/** A client that sends the same key and the same body unless the call says otherwise. */
export const createServerClient =
  (secret: string) =>
  async (call: IdempotentCall = {}) => {
    const { method = "POST", path = "/things", key = "key-1", type = "application/json" } = call;
    const { body = '{"name":"a"}', sessionSecret = env.SESSION_SECRET } = call;
    const response = await app.fetch(
      new Request(`https://duka.test${path}`, {
        method,
        headers: { "X-API-Key": secret, "Content-Type": type, "Idempotency-Key": key },
        ...(method === "DELETE" ? {} : { body }),
      }),
      { ...env, ...call.env, SESSION_SECRET: sessionSecret },
      createExecutionContext(),
    );
    const { status, headers } = response;
    return {
      status,
      headers,
      text: await response.text(),
      isReplay: headers.has("Idempotency-Replayed"),
    };
  };

/** Shards with one failing round trip. */
export function createFaultyShards(fault: DatabaseFault): Pick<typeof env, "SHOP_1" | "SHOP_2"> {
  const { wrap } = createFaultyDatabase({ fault });
  return { SHOP_1: wrap(env.SHOP_1), SHOP_2: wrap(env.SHOP_2) };
}

/** A gate at which a run waits until the test opens it. */
export function createGate() {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pass = () => {
    reached.resolve();
    return opened.promise;
  };
  return { pass, reached: reached.promise, open: opened.resolve };
}

export const createBusinessClient = async () =>
  createServerClient((await createBusiness()).keys.secret);
export const bodyOf = ({ text }: { text: string }): unknown => JSON.parse(text);
export const d1RoundTripsOf = ({ headers }: { headers: Headers }) =>
  /d1;desc="(\d+)"/.exec(headers.get("server-timing") ?? "")?.[1];
