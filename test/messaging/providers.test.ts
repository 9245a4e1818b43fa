import { describe, expect, it } from "vitest";
import type { Fetch } from "../../shared/kernel/index.ts";
import {
  africasTalkingSender,
  consoleSender,
  resendSender,
  sendMessage,
  twilioSender,
} from "../../shared/messaging/index.ts";
import { email, endless, json, silence, sms, standIn } from "./stand-in.ts";

const twilio = (fetch: Fetch, over: { from?: string; timeoutMs?: number } = {}) => {
  const { from = "+15005550006", ...reach } = over;
  const sender = twilioSender(
    { accountSid: "AC1", authToken: "token", from },
    { fetch, now: () => 0, ...reach },
  );
  return () => sender.send(sms);
};

const africasTalking = (
  fetch: Fetch,
  over: { username?: string; from?: string | null; timeoutMs?: number } = {},
) => {
  const { username = "duka", from = "DUKA", ...reach } = over;
  const sender = africasTalkingSender({ username, apiKey: "atsk", from }, { fetch, ...reach });
  return () => sender.send(sms);
};

const resend = (fetch: Fetch, reach: { timeoutMs?: number } = {}) => {
  const sender = resendSender(
    { apiKey: "re_1", from: "Duka <codes@duka.example>" },
    { fetch, ...reach },
  );
  return () => sender.send(email);
};

const taken = {
  twilio: { sid: "SM1", status: "queued", error_code: null },
  africasTalking: {
    SMSMessageData: {
      Message: "Sent to 1/1 Total Cost: KES 0.8000",
      Recipients: [
        { statusCode: 101, number: "+233241234567", status: "Success", cost: "KES 0.8" },
      ],
    },
  },
  resend: { id: "49a3999c-0ce1-4ea6-ab68-afcd6dc2e794" },
};

const textOf = ({ body }: RequestInit) => Object.fromEntries(new URLSearchParams(String(body)));

describe("Twilio", () => {
  it("posts the message as its Messages resource takes it", async () => {
    const { asked, fetch } = standIn(() => json(taken.twilio, { status: 201 }));
    expect(await twilio(fetch)()).toEqual({ type: "sent" });
    expect(asked).toMatchObject([
      {
        url: "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json",
        init: {
          method: "POST",
          redirect: "manual",
          headers: { Authorization: `Basic ${btoa("AC1:token")}` },
        },
      },
    ]);
    expect(asked.map(({ init }) => textOf(init))).toEqual([
      { To: sms.to, From: "+15005550006", Body: sms.text, ValidityPeriod: "300" },
    ]);
  });

  it("names a messaging service as such", async () => {
    const { asked, fetch } = standIn(() => json(taken.twilio, { status: 201 }));
    await twilio(fetch, { from: "MG1" })();
    expect(asked.map(({ init }) => textOf(init))).toMatchObject([{ MessagingServiceSid: "MG1" }]);
  });

  it("takes a message that failed at once for refused", async () => {
    const { fetch } = standIn(() => json({ sid: "SM1", status: "failed" }, { status: 201 }));
    expect(await twilio(fetch)()).toEqual({ type: "refused", reason: "message failed" });
  });
});

describe("Africa's Talking", () => {
  const answered = (statusCode: number) =>
    standIn(() =>
      json({ SMSMessageData: { Message: "…", Recipients: [{ statusCode }] } }, { status: 201 }),
    ).fetch;

  it("posts the message as its messaging call takes it", async () => {
    const { asked, fetch } = standIn(() => json(taken.africasTalking, { status: 201 }));
    expect(await africasTalking(fetch)()).toEqual({ type: "sent" });
    expect(asked).toMatchObject([
      {
        url: "https://api.africastalking.com/version1/messaging",
        init: { method: "POST", headers: { apikey: "atsk", Accept: "application/json" } },
      },
    ]);
    expect(asked.map(({ init }) => textOf(init))).toEqual([
      { username: "duka", to: sms.to, message: sms.text, bulkSMSMode: "1", from: "DUKA" },
    ]);
  });

  it("goes to the sandbox with the sandbox's name, and without a sender's name where there is none", async () => {
    const { asked, fetch } = standIn(() => json(taken.africasTalking, { status: 201 }));
    await africasTalking(fetch, { username: "sandbox", from: null })();
    expect(asked).toMatchObject([
      { url: "https://api.sandbox.africastalking.com/version1/messaging" },
    ]);
    expect(asked.map(({ init }) => textOf(init).from)).toEqual([undefined]);
  });

  it.each([100, 101, 102])("takes recipient status %i for sent", async (statusCode) => {
    expect(await africasTalking(answered(statusCode))()).toEqual({ type: "sent" });
  });

  it.each([402, 403, 405, 406, 502])("takes recipient status %i for refused", async (code) => {
    expect(await africasTalking(answered(code))()).toEqual({
      type: "refused",
      reason: `recipient status ${code}`,
    });
  });

  it.each([500, 501])("takes recipient status %i for no answer", async (statusCode) => {
    expect(await africasTalking(answered(statusCode))()).toMatchObject({ type: "no_answer" });
  });

  it("takes an answer without a recipient for refused", async () => {
    const { fetch } = standIn(() =>
      json({ SMSMessageData: { Message: "InvalidSenderId", Recipients: [] } }, { status: 201 }),
    );
    expect(await africasTalking(fetch)()).toMatchObject({ type: "refused" });
  });
});

describe("Resend", () => {
  it("posts the e-mail under the message's id", async () => {
    const { asked, fetch } = standIn(() => json(taken.resend));
    expect(await resend(fetch)()).toEqual({ type: "sent" });
    expect(asked).toMatchObject([
      {
        url: "https://api.resend.com/emails",
        init: {
          method: "POST",
          headers: { Authorization: "Bearer re_1", "Idempotency-Key": email.id },
        },
      },
    ]);
    expect(asked.map(({ init }) => JSON.parse(String(init.body)))).toEqual([
      {
        from: "Duka <codes@duka.example>",
        to: [email.to],
        subject: email.subject,
        text: email.text,
      },
    ]);
  });
});

describe.each([
  ["Twilio", twilio],
  ["Africa's Talking", africasTalking],
  ["Resend", resend],
])("%s, when it fails", (_name, send) => {
  const answering = (body: BodyInit | null, init: ResponseInit) =>
    send(async () => new Response(body, init))();

  it.each([301, 400, 401, 403, 404, 422])("takes %i for refused", async (status) => {
    const told = JSON.stringify({ code: 21211, message: `'To' ${sms.to} is not valid` });
    const result = await answering(told, { status });
    expect(result).toEqual({ type: "refused", reason: `status ${status}` });
  });

  it.each([408, 500, 502, 503])("takes %i for no answer", async (status) => {
    expect(await answering("down", { status })).toEqual({
      type: "no_answer",
      reason: `status ${status}`,
      retryAfterMs: null,
    });
  });

  it("takes 429 for no answer, and keeps the wait that it asks for", async () => {
    expect(await answering("slow down", { status: 429, headers: { "Retry-After": "7" } })).toEqual({
      type: "no_answer",
      reason: "status 429",
      retryAfterMs: 7_000,
    });
  });

  it.each(["", "<html>", "{}", "null", '{"id": 7, "sid": 7}'])(
    "takes an answer such as %j for no answer",
    async (body) => {
      expect(await answering(body, { status: 200 })).toMatchObject({
        type: "no_answer",
        reason: "answer not understood",
      });
    },
  );

  it("gives silence up", async () => {
    expect(await send(silence, { timeoutMs: 20 })()).toMatchObject({
      type: "no_answer",
      reason: "timeout",
    });
  });

  it("reads no endless answer to its end", async () => {
    expect(await send(async () => endless())()).toMatchObject({
      type: "no_answer",
      reason: "answer not understood",
    });
  });

  it("takes a broken connection for no answer", async () => {
    const broken = () => Promise.reject(new Error("connection reset"));
    expect(await send(broken)()).toMatchObject({
      type: "no_answer",
      reason: "connection failed",
    });
  });
});

describe("sending by channel", () => {
  it("shows the message in the terminal, for development", async () => {
    const lines: string[] = [];
    const terminal = consoleSender((line) => lines.push(line));
    expect(await sendMessage({ sms: terminal, email: null }, sms)).toEqual({ type: "sent" });
    expect(lines).toEqual(["[sms to +233241234567] 123 & 456 is your code"]);
  });

  it("refuses a channel that nobody serves", async () => {
    const { fetch } = standIn(() => json(taken.resend));
    const senders = {
      sms: null,
      email: resendSender({ apiKey: "re_1", from: "a@b.c" }, { fetch }),
    };
    expect(await sendMessage(senders, email)).toEqual({ type: "sent" });
    expect(await sendMessage(senders, sms)).toEqual({
      type: "refused",
      reason: "no provider of sms is configured",
    });
  });
});
