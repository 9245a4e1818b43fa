import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  coreWakeup,
  type MessageWakeup,
  sealCoreMessage,
} from "../../functions/runtime/message-queue.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { minute, second } from "../../shared/kernel/index.ts";
import { type CoreContent, queueCoreMessage } from "../../shared/messages/index.ts";
import worker from "../support/worker.ts";
import { createBackgroundWorker } from "./create-background-worker.ts";

const providers = {
  SMS_PROVIDER: "twilio",
  TWILIO_ACCOUNT_SID: "AC1",
  TWILIO_AUTH_TOKEN: "token",
  TWILIO_FROM: "+15005550006",
  EMAIL_PROVIDER: "resend",
  RESEND_API_KEY: "re_1",
  EMAIL_FROM: "codes@duka.example",
};

const code = { type: "code", channel: "sms", to: "+233241234567", sender: "Link" } as const;
const content: CoreContent = { ...code, code: "482913", minutes: 5 };
const emailed: CoreContent = { ...content, channel: "email", to: "ama@example.com" };

/** Stores a message that expires in so many milliseconds, and returns its wakeup. */
async function queueContent(one: CoreContent, ttlMs = 5 * minute): Promise<MessageWakeup> {
  const id = crypto.randomUUID();
  const core = openDb(env.CORE, createMeter());
  const message = { id, content: one, expiresAt: Date.now() + ttlMs };
  await core.batch([queueCoreMessage(core, await sealCoreMessage(settingsOf(env), message))]);
  return coreWakeup(id);
}

const findRow = ({ messageId }: MessageWakeup) =>
  env.CORE.prepare("select * from core_messages where id = ?").bind(messageId).first();

/** Consumes one wakeup; returns whether it was acknowledged, or its retry delays in seconds. */
async function consume(
  body: unknown,
  { queue = "duka-messages", ...over }: Record<string, unknown> = {},
) {
  const outcome: { acked: number; retried: unknown[] } = { acked: 0, retried: [] };
  const queued: Message = {
    ...{ id: "queued_1", timestamp: new Date(), attempts: 1, body },
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

describe("a message of the service", () => {
  it("is stored without its code and its recipient to read", async () => {
    const row = await findRow(await queueContent(content));
    expect(JSON.stringify(row)).not.toMatch(/482913|233241234567|Link/);
    expect(row?.sealed).not.toEqual((await findRow(await queueContent(content)))?.sealed);
  });

  it("is sent once through the provider of its channel, and deleted then", async () => {
    stubProvider(acceptedResponse);
    for (const one of [content, emailed]) {
      const wakeup = await queueContent(one);
      const outcomes = await Promise.all([consume(wakeup), consume(wakeup)]);
      expect(outcomes).toEqual([acknowledged, acknowledged]);
      expect(await findRow(wakeup)).toBeNull();
    }
    expect(requestedUrls).toEqual([
      "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json",
      "https://api.resend.com/emails",
    ]);
    expect(logLines).toEqual([]);
  });

  it("consumes the queue of another environment, whose name ends with that of the environment", async () => {
    stubProvider(acceptedResponse);
    const wakeup = await queueContent(content);
    expect(await consume(wakeup, { queue: "duka-messages-staging" })).toEqual(acknowledged);
    expect(requestedUrls).toHaveLength(1);
  });
  it("is sent by cron when its wakeup is lost", async () => {
    stubProvider(acceptedResponse);
    const wakeup = await queueContent(content);
    await createBackgroundWorker(providers).cron();
    expect(await findRow(wakeup)).toBeNull();
    expect(requestedUrls).not.toEqual([]);
  });

  it("is tried again with growing delays while the code is valid and the provider is down", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    stubProvider(() => new Response("down", { status: 503 }));
    const wakeup = await queueContent(content);
    const delays: unknown[] = [];
    for (;;) {
      const { acked, retried } = await consume(wakeup);
      if (acked === 1) break;
      delays.push(...retried);
      vi.setSystemTime(Date.now() + Number(retried[0]) * second);
    }
    expect(delays).toEqual([4, 8, 16, 32, 60, 60, 60]);
    expect(await findRow(wakeup)).toBeNull();
    vi.useRealTimers();
  });

  it("respects the provider's Retry-After", async () => {
    stubProvider(() => new Response("", { status: 429, headers: { "Retry-After": "90" } }));
    expect(await consume(await queueContent(content))).toEqual({ acked: 0, retried: [90] });
  });

  it("is not sent once its code has expired", async () => {
    stubProvider(acceptedResponse);
    const wakeup = await queueContent(content, -1);
    expect(await consume(wakeup)).toEqual(acknowledged);
    expect(requestedUrls).toEqual([]);
    expect(await findRow(wakeup)).toBeNull();
  });

  it("is dropped when it is refused, and neither recipient nor text is logged", async () => {
    stubProvider(() =>
      Response.json({ code: 21211, message: "'To' +233241234567 is invalid" }, { status: 400 }),
    );
    const wakeup = await queueContent(content);
    expect(await consume(wakeup)).toEqual(acknowledged);
    expect(logLines).toHaveLength(1);
    expect(JSON.parse(logLines[0] ?? "")).toMatchObject({
      ...{ what: "message failed", message: wakeup.messageId, reason: "status 400" },
    });
    expect(logLines.join()).not.toMatch(/233241234567|482913/);
  });

  it("is dropped when it was sealed with another secret", async () => {
    stubProvider(acceptedResponse);
    const secret = { SESSION_SECRET: "another-secret-for-tests-only-0123456789" };
    expect(await consume(await queueContent(content), secret)).toEqual(acknowledged);
    for (const body of [null, {}, { sealed: "AAAA" }])
      expect(await consume(body)).toEqual(acknowledged);
    expect(requestedUrls).toEqual([]);
  });

  it("waits while the provider's settings are missing", async () => {
    stubProvider(acceptedResponse);
    const wakeup = await queueContent(content);
    expect(await consume(wakeup, { TWILIO_AUTH_TOKEN: undefined })).toEqual({
      ...{ acked: 0, retried: [4] },
    });
    expect(logLines.join()).toMatch(/Setting TWILIO_AUTH_TOKEN/);
    expect(logLines.join()).not.toMatch(/233241234567|482913/);
  });

  it("is printed in the terminal in development", async () => {
    expect(await consume(await queueContent(content), { SMS_PROVIDER: "console" })).toEqual(
      acknowledged,
    );
    expect(logLines).toEqual([
      "[sms to +233241234567] 482913 is your code for Link. It is valid for 5 minutes. Do not share it with anyone.",
    ]);
  });

  it("rejects the console provider in production", () => {
    expect(() => settingsOf({ ...env, ALLOW_LOCAL_WEBHOOKS: "false" })).toThrow(
      /_PROVIDER.*console/s,
    );
    const production = { ALLOW_LOCAL_WEBHOOKS: "false", CONSOLE_TEST_CODES: "false" };
    expect(() => settingsOf({ ...env, ...providers, ...production })).not.toThrow();
  });
});
