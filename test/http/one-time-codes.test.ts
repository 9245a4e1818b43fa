import { env } from "cloudflare:workers";
import { z } from "@hono/zod-openapi";
import { Hono } from "hono";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { SurfaceBindings, SurfaceEnv } from "../../functions/http/api-env.ts";
import {
  codeContext,
  contactFields,
  contactOf,
  sendCode,
} from "../../functions/http/authentication/one-time-codes.ts";
import { onError } from "../../functions/http/errors.ts";
import type { MessageBindings, SealedMessage } from "../../functions/runtime/message-queue.ts";
import { openMessage } from "../../functions/runtime/message-queue.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import { openDb } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import {
  type Audience,
  linkAudience,
  redeemCode,
  storefrontAudience,
} from "../../shared/one-time-codes/index.ts";

const contact = { type: "phone", value: "+233241234567" } as const;

const audience = (mode: Audience["mode"]): Audience =>
  storefrontAudience({ id: crypto.randomUUID(), name: "Corner Books", mode });

/** A call that sends a code of the audience, and the queue that its message went to. */
function givenCall(to: Audience, over: { settings?: object; isQueueDown?: boolean } = {}) {
  const sent: SealedMessage[] = [];
  const send = async (body: SealedMessage) => {
    if (over.isQueueDown) throw new Error("queue down");
    sent.push(body);
  };
  const bindings = { ...env, ...over.settings, MESSAGES: { send } };
  const app = new Hono<SurfaceEnv<SurfaceBindings & MessageBindings>>();
  app.onError(onError);
  app.use(async (c, next) => {
    c.set("settings", settingsOf(c.env));
    await next();
  });
  const place = { db: openDb(env.SHOP_1, createMeter()), audience: to };
  app.post("/", async (c) => c.json(await sendCode(c, place, contact)));
  app.post("/verify", async (c) => {
    const code = await c.req.text();
    await redeemCode(await codeContext(c, place), { contact, code });
    return c.json("ok");
  });
  return {
    sent,
    ask: () => app.request("/", { method: "POST" }, bindings),
    verify: (code: string) => app.request("/verify", { method: "POST", body: code }, bindings),
  };
}

describe("whom a code is for", () => {
  const Body = z.object(contactFields);

  it("is read with the business's country", () => {
    const body = Body.parse({ contact: "024 123 4567", contact_type: null });
    expect(contactOf(body, { defaultCountry: "GH" })).toEqual(contact);
  });

  it.each([
    {},
    { contact: " " },
    { contact: "x".repeat(255) },
    { contact: "a@b.co", contact_type: "fax" },
  ])("is not %j", (body) => {
    expect(Body.safeParse(body).success).toBe(false);
  });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("sending a one-time code from a surface", () => {
  it("queues the message and tells how it goes", async () => {
    const { ask, sent, verify } = givenCall(audience("live"));
    const answer = await ask();
    expect(await answer.json()).toEqual({
      deliveryChannel: "sms",
      expiresInSeconds: 300,
      nextResendInSeconds: 30,
    });
    const message = await openMessage(sent[0], settingsOf(env));
    expect(message).toMatchObject({ channel: "sms", to: contact.value });
    const code = message?.text.slice(0, 6) ?? "";
    expect((await verify(code)).status).toBe(200);
    expect((await verify(code)).status).toBe(401);
  });

  it("writes to nobody in test mode, whose code everybody knows", async () => {
    const { ask, sent, verify } = givenCall(audience("test"), {
      settings: { SMS_PROVIDER: undefined },
    });
    expect((await ask()).status).toBe(200);
    expect(sent).toEqual([]);
    expect((await verify("123456")).status).toBe(200);
  });

  it("keeps Link's test codes out of Link's live accounts", async () => {
    const test = givenCall(linkAudience("test"));
    const live = givenCall(linkAudience("live"));
    await test.ask();
    expect((await live.verify("123456")).status).toBe(401);
  });

  it("answers 429 with Retry-After to one who asks too soon", async () => {
    const { ask } = givenCall(audience("live"));
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

  it("answers 503 where nobody could bring the code, and issues none", async () => {
    const to = audience("live");
    const { ask, sent } = givenCall(to, { settings: { SMS_PROVIDER: undefined } });
    expect((await ask()).status).toBe(503);
    expect(sent).toEqual([]);
    expect((await givenCall(to).ask()).status).toBe(200);
  });

  it("answers 503 when the queue does not take the message, and counts no code that nobody got", async () => {
    const to = audience("live");
    const down = givenCall(to, { isQueueDown: true });
    for (let asked = 0; asked < 6; asked += 1) expect((await down.ask()).status).toBe(503);
    expect((await givenCall(to).ask()).status).toBe(200);
  });

  it("leaves an earlier code good when the queue does not take the next one", async () => {
    const to = audience("live");
    const { ask, sent, verify } = givenCall(to);
    await ask();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 30_000 });
    expect((await givenCall(to, { isQueueDown: true }).ask()).status).toBe(503);
    const message = await openMessage(sent[0], settingsOf(env));
    expect((await verify(message?.text.slice(0, 6) ?? "")).status).toBe(200);
  });
});
