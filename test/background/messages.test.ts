import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import worker from "../../functions/background/worker.ts";
import { queueMessage } from "../../functions/runtime/message-queue.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import type { Message as MessageToSend } from "../../shared/messaging/index.ts";

const providers = {
  SMS_PROVIDER: "twilio",
  TWILIO_ACCOUNT_SID: "AC1",
  TWILIO_AUTH_TOKEN: "token",
  TWILIO_FROM: "+15005550006",
  EMAIL_PROVIDER: "resend",
  RESEND_API_KEY: "re_1",
  EMAIL_FROM: "codes@duka.example",
};

const minute = 60_000;

const message = (over: object = {}): MessageToSend => ({
  id: "msg_1",
  channel: "sms",
  to: "+233241234567",
  text: "482913 is your code for Corner Books.",
  expiresAt: Date.now() + 5 * minute,
  ...over,
});

/** What the queue was given for a message. */
async function sealed(one: MessageToSend): Promise<unknown> {
  const bodies: unknown[] = [];
  const send = async (body: unknown) => void bodies.push(body);
  const queue = { send } as unknown as typeof env.MESSAGES; // safe: only send is called
  await queueMessage({ MESSAGES: queue }, settingsOf(env), one);
  return bodies[0];
}

/** One message through the consumer: how it ended, and after how many seconds it comes again. */
async function consume(body: unknown, { attempts = 1, ...over }: Record<string, unknown> = {}) {
  const ended: { acked: number; retried: unknown[] } = { acked: 0, retried: [] };
  const queued: Message = {
    id: "queued_1",
    timestamp: new Date(),
    attempts: Number(attempts),
    body,
    ack: () => {
      ended.acked += 1;
    },
    retry: (options) => void ended.retried.push(options?.delaySeconds),
  };
  const batch = { queue: "duka-messages", messages: [queued] } as unknown as MessageBatch; // safe: nothing else is read
  await worker.queue(batch, { ...env, ...providers, ...over });
  return ended;
}

const done = { acked: 1, retried: [] };

let logged: string[];
let asked: string[];

beforeEach(() => {
  logged = [];
  asked = [];
  for (const level of ["log", "error", "warn"] as const)
    vi.spyOn(console, level).mockImplementation((line) => void logged.push(String(line)));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function providerAnswers(answer: () => Response | Promise<Response>): void {
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    return answer();
  });
}

const taken = () => Response.json({ sid: "SM1", status: "queued", id: "re_1" });

describe("messages to people", () => {
  it("lie in the queue sealed", async () => {
    const body = JSON.stringify(await sealed(message()));
    expect(body).toMatch(/^\{"sealed":"[A-Za-z0-9+/=]+"\}$/);
    expect(await sealed(message())).not.toEqual(await sealed(message()));
  });

  it("go out by the provider of their channel, and are done", async () => {
    providerAnswers(taken);
    expect(await consume(await sealed(message()))).toEqual(done);
    expect(
      await consume(
        await sealed(message({ channel: "email", to: "ama@example.com", subject: "Your code" })),
      ),
    ).toEqual(done);
    expect(asked).toEqual([
      "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json",
      "https://api.resend.com/emails",
    ]);
    expect(logged).toEqual([]);
  });

  it("come again, later each time, while the code is valid and there is no answer", async () => {
    providerAnswers(() => new Response("down", { status: 503 }));
    const body = await sealed(message());
    for (const [attempts, delay] of [
      [1, 4],
      [2, 8],
      [5, 60],
    ])
      expect(await consume(body, { attempts })).toEqual({ acked: 0, retried: [delay] });
  });

  it("come again no sooner than the provider wants", async () => {
    providerAnswers(() => new Response("", { status: 429, headers: { "Retry-After": "90" } }));
    expect(await consume(await sealed(message()))).toEqual({ acked: 0, retried: [90] });
  });

  it("are dropped when the code will have expired by the next try", async () => {
    providerAnswers(() => new Response("down", { status: 503 }));
    const soon = await sealed(message({ expiresAt: Date.now() + 3_000 }));
    expect(await consume(soon)).toEqual(done);
    expect(asked).toHaveLength(1);
  });

  it("are not sent after the code has expired", async () => {
    providerAnswers(taken);
    expect(await consume(await sealed(message({ expiresAt: Date.now() - 1 })))).toEqual(done);
    expect(asked).toEqual([]);
  });

  it("are dropped when the provider refuses them, and the log tells neither whom nor what", async () => {
    providerAnswers(() =>
      Response.json({ code: 21211, message: "'To' +233241234567 is invalid" }, { status: 400 }),
    );
    expect(await consume(await sealed(message()))).toEqual(done);
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? "")).toMatchObject({
      what: "message dropped",
      message: "msg_1",
      reason: "status 400",
    });
    expect(logged.join()).not.toMatch(/233241234567|482913/);
  });

  it("are dropped when they were not sealed here", async () => {
    providerAnswers(taken);
    const foreign = await sealed(message());
    const secret = { SESSION_SECRET: "another-secret-for-tests-only-0123456789" };
    expect(await consume(foreign, secret)).toEqual(done);
    for (const body of [null, {}, { sealed: "" }, { sealed: "!" }, { sealed: "AAAA" }])
      expect(await consume(body)).toEqual(done);
    expect(asked).toEqual([]);
  });

  it("wait for a provider whose settings are missing", async () => {
    providerAnswers(taken);
    expect(await consume(await sealed(message()), { TWILIO_AUTH_TOKEN: undefined })).toEqual({
      acked: 0,
      retried: [4],
    });
    expect(logged.join()).toMatch(/Setting TWILIO_AUTH_TOKEN/);
    expect(logged.join()).not.toMatch(/233241234567|482913/);
  });

  it("are shown in the terminal in development", async () => {
    expect(await consume(await sealed(message()), { SMS_PROVIDER: "console" })).toEqual(done);
    expect(logged).toEqual(["[sms to +233241234567] 482913 is your code for Corner Books."]);
  });

  it("are never shown in production: the setting is refused there", () => {
    expect(() => settingsOf({ ...env, ALLOW_LOCAL_WEBHOOKS: "false" })).toThrow(/console/);
    expect(() => settingsOf({ ...env, ...providers, ALLOW_LOCAL_WEBHOOKS: "false" })).not.toThrow();
  });
});
