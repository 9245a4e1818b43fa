import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { z } from "@hono/zod-openapi";
import { afterEach, beforeEach, vi } from "vitest";
import type { RequestContext } from "../../functions/http/api-env.ts";
import { area, surface } from "../../functions/http/app.ts";
import { publishableKey, secretKey } from "../../functions/http/authentication/access.ts";
import { contextOf } from "../../functions/http/context.ts";
import { answer, contract, json } from "../../functions/http/contract.ts";
import { orderRepo } from "../../shared/orders/index.ts";
import { type Fault, faultyShop } from "../checkout/faults/faulty-shop.ts";
import { givenBusiness } from "../support/world.ts";

/** The runs that were made, and what each does before it answers, or before it asks its database. */
export const runs: {
  count: number;
  effect: (run: number) => Promise<void> | void;
  before: () => void;
} = { count: 0, effect: () => {}, before: () => {} };

/** Before each test nothing has run, and the time is the test's. */
export function withFreshRuns(): void {
  beforeEach(() => {
    runs.count = 0;
    runs.effect = () => {};
    runs.before = () => {};
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

async function ran() {
  runs.count += 1;
  const run = runs.count;
  await runs.effect(run);
  return answer({ run });
}

/** As one that asks its database first, after `runs.before`. */
async function ranKnowing(c: RequestContext) {
  runs.before();
  const ctx = contextOf(c, { type: "anonymous" });
  await ctx.db.batch([orderRepo(ctx).numberOf("ord_none"), orderRepo(ctx).numberOf("ord_none")]);
  return ran();
}

const write = secretKey("settings:write");
const Ran = z.object({ run: z.number() });
const body = json(z.object({ name: z.string(), tags: z.array(z.string()).default([]) }));
const file = { content: { "text/csv": { schema: z.string() } }, required: true as const };

const rows = area()
  .openapi(
    contract("post", "/things", { summary: "", access: write, body, answer: Ran, status: 201 }),
    async (c) => c.json(await ran(), 201),
  )
  .openapi(
    contract("delete", "/things/{id}", { summary: "", access: write, answer: Ran }),
    async (c) => c.json(await ran(), 200),
  )
  .openapi(
    contract("post", "/imports", { summary: "", access: write, body: file, answer: Ran }),
    async (c) => c.json(await ran(), 200),
  )
  .openapi(
    contract("post", "/knowing", {
      ...{ summary: "", access: write, body, answer: Ran, status: 201, knowsRepeats: "alike" },
    }),
    async (c) => c.json(await ranKnowing(c), 201),
  )
  .openapi(
    contract("post", "/knowing-anew", {
      ...{ summary: "", access: write, body, answer: Ran, status: 201, knowsRepeats: "anew" },
    }),
    async (c) => c.json(await ranKnowing(c), 201),
  )
  .openapi(
    contract("post", "/shoppers", { summary: "", access: publishableKey, body, answer: Ran }),
    async (c) => c.json(await ran(), 200),
  );
const app = surface().route("/", rows);

type Ask = Readonly<{
  method?: string;
  path?: string;
  key?: string;
  type?: string;
  body?: BodyInit;
  /** The deployment's, where it is another one by now. */
  sessionSecret?: string;
  /** Where the databases are others. */
  env?: Partial<typeof env>;
}>;

/** A merchant's server that repeats itself: the same key and the same body unless told otherwise. */
export const serverWith =
  (secret: string) =>
  async (asked: Ask = {}) => {
    const { method = "POST", path = "/things", key = "key-1", type = "application/json" } = asked;
    const { body = '{"name":"a"}', sessionSecret = env.SESSION_SECRET } = asked;
    const response = await app.fetch(
      new Request(`https://duka.test${path}`, {
        method,
        headers: { "X-API-Key": secret, "Content-Type": type, "Idempotency-Key": key },
        ...(method === "DELETE" ? {} : { body }),
      }),
      { ...env, ...asked.env, SESSION_SECRET: sessionSecret },
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

/** The shops' databases, of whose round trips one goes wrong. */
export function faultyShops(fault: Fault): Pick<typeof env, "SHOP_1" | "SHOP_2"> {
  const { wrap } = faultyShop({ fault });
  return { SHOP_1: wrap(env.SHOP_1), SHOP_2: wrap(env.SHOP_2) };
}

/** Where a run waits until the test opens it. */
export function gate() {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pass = () => {
    reached.resolve();
    return opened.promise;
  };
  return { pass, reached: reached.promise, open: opened.resolve };
}

export const server = async () => serverWith((await givenBusiness()).keys.secret);
export const bodyOf = ({ text }: { text: string }): unknown => JSON.parse(text);
export const d1Of = ({ headers }: { headers: Headers }) =>
  /d1;desc="(\d+)"/.exec(headers.get("server-timing") ?? "")?.[1];
