import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queueMessage } from "../../functions/runtime/message-queue.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import { minute } from "../../shared/kernel/index.ts";
import type { Message as MessageToSend } from "../../shared/messaging/index.ts";
import worker from "../support/worker.ts";

const providers = {
  SMS_PROVIDER: "twilio",
  TWILIO_ACCOUNT_SID: "AC1",
  TWILIO_AUTH_TOKEN: "token",
  TWILIO_FROM: "+15005550006",
  EMAIL_PROVIDER: "resend",
  RESEND_API_KEY: "re_1",
  EMAIL_FROM: "codes@duka.example",
};

const message = (over: object = {}): MessageToSend => ({
  id: "msg_1",
  channel: "sms",
  to: "+233241234567",
  text: "482913 is your code for Corner Books.",
  expiresAt: Date.now() + 5 * minute,
  ...over,
});

/** The queue's body for a message. */
async function sealMessage(one: MessageToSend): Promise<unknown> {
  const bodies: unknown[] = [];
  const send = async (body: unknown) => void bodies.push(body);
  const queue = { send } as unknown as typeof env.MESSAGES; // safe: only send is called
  await queueMessage({ MESSAGES: queue }, settingsOf(env), one);
  return bodies[0];
}

/** Consumes one message; returns whether it was acknowledged, or its retry delays in seconds. */
async function consume(
  body: unknown,
  { attempts = 1, queue = "duka-messages", ...over }: Record<string, unknown> = {},
) {
  const outcome: { acked: number; retried: unknown[] } = { acked: 0, retried: [] };
  const queued: Message = {
    id: "queued_1",
    timestamp: new Date(),
    attempts: Number(attempts),
    body,
    ack: () => {
      outcome.acked += 1;
    },
    retry: (options) => void outcome.retried.push(options?.delaySeconds),
  };
  const batch = { queue, messages: [queued] } as unknown as MessageBatch; // safe: the Worker reads nothing else
  await worker.queue(batch, { ...env, ...providers, ...over });
  return outcome;
}

const acknowledged = { acked: 1, retried: [] };

let logLines: string[];
let requestedUrls: string[];

beforeEach(() => {
  logLines = [];
  requestedUrls = [];
  for (const level of ["log", "error", "warn"] as const)
    vi.spyOn(console, level).mockImplementation((line) => void logLines.push(String(line)));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function stubProvider(answer: () => Response | Promise<Response>): void {
  vi.stubGlobal("fetch", async (url: string) => {
    requestedUrls.push(url);
    return answer();
  });
}

const acceptedResponse = () => Response.json({ sid: "SM1", status: "queued", id: "re_1" });

describe("the message consumer", () => {
  it("receives sealed messages", async () => {
    const body = JSON.stringify(await sealMessage(message()));
    expect(body).toMatch(/^\{"sealed":"[A-Za-z0-9+/=]+"\}$/);
    expect(await sealMessage(message())).not.toEqual(await sealMessage(message()));
  });

  it("sends a message through the provider of its channel and acknowledges it", async () => {
    stubProvider(acceptedResponse);
    expect(await consume(await sealMessage(message()))).toEqual(acknowledged);
    expect(
      await consume(
        await sealMessage(
          message({ channel: "email", to: "ama@example.com", subject: "Your code" }),
        ),
      ),
    ).toEqual(acknowledged);
    expect(requestedUrls).toEqual([
      "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json",
      "https://api.resend.com/emails",
    ]);
    expect(logLines).toEqual([]);
  });

  it("consumes the queue of another environment, whose name ends with that of the environment", async () => {
    stubProvider(acceptedResponse);
    const body = await sealMessage(message());
    expect(await consume(body, { queue: "duka-messages-staging" })).toEqual(acknowledged);
    expect(requestedUrls).toHaveLength(1);
  });

  it("retries with growing delays while the code is valid and the provider is down", async () => {
    stubProvider(() => new Response("down", { status: 503 }));
    const body = await sealMessage(message());
    for (const [attempts, delay] of [
      [1, 4],
      [2, 8],
      [5, 60],
    ])
      expect(await consume(body, { attempts })).toEqual({ acked: 0, retried: [delay] });
  });

  it("respects the provider's Retry-After", async () => {
    stubProvider(() => new Response("", { status: 429, headers: { "Retry-After": "90" } }));
    expect(await consume(await sealMessage(message()))).toEqual({ acked: 0, retried: [90] });
  });

  it("drops a message whose code expires before the next attempt", async () => {
    stubProvider(() => new Response("down", { status: 503 }));
    const soon = await sealMessage(message({ expiresAt: Date.now() + 3_000 }));
    expect(await consume(soon)).toEqual(acknowledged);
    expect(requestedUrls).toHaveLength(1);
  });

  it("does not send an expired code", async () => {
    stubProvider(acceptedResponse);
    expect(await consume(await sealMessage(message({ expiresAt: Date.now() - 1 })))).toEqual(
      acknowledged,
    );
    expect(requestedUrls).toEqual([]);
  });

  it("drops a refused message and logs neither recipient nor text", async () => {
    stubProvider(() =>
      Response.json({ code: 21211, message: "'To' +233241234567 is invalid" }, { status: 400 }),
    );
    expect(await consume(await sealMessage(message()))).toEqual(acknowledged);
    expect(logLines).toHaveLength(1);
    expect(JSON.parse(logLines[0] ?? "")).toMatchObject({
      what: "message dropped",
      message: "msg_1",
      reason: "status 400",
    });
    expect(logLines.join()).not.toMatch(/233241234567|482913/);
  });

  it("drops messages that were not sealed by this deployment", async () => {
    stubProvider(acceptedResponse);
    const foreign = await sealMessage(message());
    const secret = { SESSION_SECRET: "another-secret-for-tests-only-0123456789" };
    expect(await consume(foreign, secret)).toEqual(acknowledged);
    for (const body of [null, {}, { sealed: "" }, { sealed: "!" }, { sealed: "AAAA" }])
      expect(await consume(body)).toEqual(acknowledged);
    expect(requestedUrls).toEqual([]);
  });

  it("retries while the provider's settings are missing", async () => {
    stubProvider(acceptedResponse);
    expect(await consume(await sealMessage(message()), { TWILIO_AUTH_TOKEN: undefined })).toEqual({
      acked: 0,
      retried: [4],
    });
    expect(logLines.join()).toMatch(/Setting TWILIO_AUTH_TOKEN/);
    expect(logLines.join()).not.toMatch(/233241234567|482913/);
  });

  it("prints messages in the terminal in development", async () => {
    expect(await consume(await sealMessage(message()), { SMS_PROVIDER: "console" })).toEqual(
      acknowledged,
    );
    expect(logLines).toEqual(["[sms to +233241234567] 482913 is your code for Corner Books."]);
  });

  it("rejects the console provider in production", () => {
    expect(() => settingsOf({ ...env, ALLOW_LOCAL_WEBHOOKS: "false" })).toThrow(
      /_PROVIDER.*console/s,
    );
    const production = { ALLOW_LOCAL_WEBHOOKS: "false", CONSOLE_TEST_CODES: "false" };
    expect(() => settingsOf({ ...env, ...providers, ...production })).not.toThrow();
  });
});
