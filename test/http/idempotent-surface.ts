import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { z } from "@hono/zod-openapi";
import { publishableKey, secretKey } from "../../functions/http/access.ts";
import { area, surface } from "../../functions/http/app.ts";
import { answer, contract, json } from "../../functions/http/contract.ts";
import { givenBusiness } from "../support/world.ts";

/** The runs that were made, and what each does before it answers. */
export const runs: { count: number; effect: (run: number) => Promise<void> | void } = {
  count: 0,
  effect: () => {},
};

async function ran() {
  runs.count += 1;
  const run = runs.count;
  await runs.effect(run);
  return answer({ run });
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
      { ...env, SESSION_SECRET: sessionSecret },
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
