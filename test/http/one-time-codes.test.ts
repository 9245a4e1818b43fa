import { env } from "cloudflare:workers";
import { z } from "@hono/zod-openapi";
import { Hono } from "hono";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  contactFields,
  createCodeContext,
  parseContact,
  sendCode,
} from "../../functions/http/authentication/one-time-codes.ts";
import type { ApiEnv } from "../../functions/http/context.ts";
import { onError } from "../../functions/http/errors.ts";
import { callerNetwork } from "../../functions/http/rate-limits/rate-limit.ts";
import type { ApiBindings } from "../../functions/runtime/bindings.ts";
import type { MessageBindings, MessageWakeup } from "../../functions/runtime/message-queue.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import {
  type Audience,
  linkAudience,
  redeemCode,
  storefrontAudience,
} from "../../shared/one-time-codes/index.ts";
import { readWaitingCode } from "../support/sealed-messages.ts";

const contact = { type: "phone", value: "+233241234567" } as const;

const audience = (mode: Audience["mode"]): Audience =>
  storefrontAudience({ id: crypto.randomUUID(), name: "Corner Books", mode });

/** An API that sends codes of the audience, and the messages that it queued. */
function createCodeApi(to: Audience, options: { settings?: object; isQueueDown?: boolean } = {}) {
  const sent: MessageWakeup[] = [];
  const send = async (body: MessageWakeup) => {
    if (options.isQueueDown) throw new Error("queue down");
    sent.push(body);
  };
  const bindings = { ...env, ...options.settings, MESSAGES: { send } };
  const app = new Hono<ApiEnv<ApiBindings & MessageBindings>>();
  app.onError(onError);
  app.use(async (c, next) => {
    c.set("settings", settingsOf(c.env));
    await next();
  });
  const place = { db: openDb(env.SHOP_1, createMeter()), audience: to, shard: "SHOP_1" };
  app.post("/", async (c) => c.json(await sendCode(c, place, contact)));
  app.post("/verify", async (c) => {
    const code = await c.req.text();
    await redeemCode(await createCodeContext(c, place), {
      contact,
      code,
      network: callerNetwork(c),
    });
    return c.json("ok");
  });
  return {
    sent,
    code: () => readWaitingCode(env.SHOP_1, to.id),
    ask: () => app.request("/", { method: "POST" }, bindings),
    verify: (code: string) => app.request("/verify", { method: "POST", body: code }, bindings),
  };
}

describe("the contact of a code", () => {
  const Body = z.object(contactFields);

  it("is parsed with the business's country", () => {
    const body = Body.parse({ contact: "024 123 4567", contact_type: null });
    expect(parseContact(body, { defaultCountry: "GH" })).toEqual(contact);
  });

  it.each([
    {},
    { contact: " " },
    { contact: "x".repeat(255) },
    { contact: "a@b.co", contact_type: "fax" },
  ])("rejects %j", (body) => {
    expect(Body.safeParse(body).success).toBe(false);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("sending a one-time code", () => {
  it("queues the message and reports channel and times", async () => {
    const { ask, sent, verify, code: readCode } = createCodeApi(audience("live"));
    const answer = await ask();
    expect(await answer.json()).toEqual({
      deliveryChannel: "sms",
      expiresInSeconds: 300,
      nextResendInSeconds: 30,
    });
    expect(sent).toMatchObject([{ shard: "SHOP_1", messageId: expect.any(String) }]);
    const code = await readCode();
    expect((await verify(code)).status).toBe(200);
    expect((await verify(code)).status).toBe(401);
  });

  it("sends no message in test mode, where the code is fixed", async () => {
    const { ask, sent, verify } = createCodeApi(audience("test"), {
      settings: { SMS_PROVIDER: undefined },
    });
    expect((await ask()).status).toBe(200);
    expect(sent).toEqual([]);
    expect((await verify("123456")).status).toBe(200);
  });

  it("rejects a Link test code for a live account", async () => {
    const test = createCodeApi(linkAudience("test"));
    const live = createCodeApi(linkAudience("live"));
    await test.ask();
    expect((await live.verify("123456")).status).toBe(401);
  });

  it("is 429 with Retry-After when a code is requested too soon", async () => {
    const { ask } = createCodeApi(audience("live"));
    await ask();
    const early = await ask();
    expect(early.status).toBe(429);
    expect(Number(early.headers.get("Retry-After"))).toBeGreaterThan(25);
    expect(await early.json()).toMatchObject({
      error: {
        code: "RATE_LIMITED",
        retryable: true,
        context: { retry_after_ms: expect.any(Number) },
      },
    });
  });

  it("is 503 and issues no code without a message provider", async () => {
    const to = audience("live");
    const { ask, sent } = createCodeApi(to, { settings: { SMS_PROVIDER: undefined } });
    expect((await ask()).status).toBe(503);
    expect(sent).toEqual([]);
    expect((await createCodeApi(to).ask()).status).toBe(200);
  });

  it("succeeds when the queue fails, because cron sends the stored message", async () => {
    const { ask, verify, code } = createCodeApi(audience("live"), { isQueueDown: true });
    vi.spyOn(console, "warn").mockReturnValue();
    expect((await ask()).status).toBe(200);
    expect((await verify(await code())).status).toBe(200);
  });

  it("stores no message of a code that the limits refuse", async () => {
    const to = audience("live");
    const { ask } = createCodeApi(to);
    await Promise.all([ask(), ask(), ask(), ask()]);
    const count = (table: string, column: string) =>
      env.SHOP_1.prepare(`select count(*) as n from ${table} where ${column} = ?`)
        .bind(to.id)
        .first("n");
    expect(await count("one_time_codes", "audience")).toBe(1);
    expect(await count("messages", "business_id")).toBe(1);
  });
});
