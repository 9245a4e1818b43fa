import { describe, expect, it } from "vitest";
import type { Fetch } from "../../shared/kernel/index.ts";
import {
  africasTalkingSender,
  consoleSender,
  resendSender,
  sendMessage,
  twilioSender,
} from "../../shared/messaging/index.ts";
import {
  createFakeProvider,
  email,
  endlessResponse,
  json,
  neverRespond,
  sms,
} from "./create-fake-provider.ts";

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
  it("posts the message to the Messages resource", async () => {
    const { calls, fetch } = createFakeProvider(() => json(taken.twilio, { status: 201 }));
    expect(await twilio(fetch)()).toEqual({ type: "sent", providerId: taken.twilio.sid });
    expect(calls).toMatchObject([
      {
        url: "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json",
        init: {
          method: "POST",
          redirect: "manual",
          headers: { Authorization: `Basic ${btoa("AC1:token")}` },
        },
      },
    ]);
    expect(calls.map(({ init }) => textOf(init))).toEqual([
      { To: sms.to, From: "+15005550006", Body: sms.text, ValidityPeriod: "300" },
    ]);
  });

  it("sends the id of a messaging service", async () => {
    const { calls, fetch } = createFakeProvider(() => json(taken.twilio, { status: 201 }));
    await twilio(fetch, { from: "MG1" })();
    expect(calls.map(({ init }) => textOf(init))).toMatchObject([{ MessagingServiceSid: "MG1" }]);
  });

  it("treats a message that failed immediately as refused", async () => {
    const { fetch } = createFakeProvider(() =>
      json({ sid: "SM1", status: "failed" }, { status: 201 }),
    );
    expect(await twilio(fetch)()).toEqual({ type: "refused", reason: "message failed" });
  });
});

describe("Africa's Talking", () => {
  const answered = (statusCode: number) =>
    createFakeProvider(() =>
      json({ SMSMessageData: { Message: "…", Recipients: [{ statusCode }] } }, { status: 201 }),
    ).fetch;

  it("posts the message to the messaging call", async () => {
    const { calls, fetch } = createFakeProvider(() => json(taken.africasTalking, { status: 201 }));
    expect(await africasTalking(fetch)()).toMatchObject({ type: "sent" });
    expect(calls).toMatchObject([
      {
        url: "https://api.africastalking.com/version1/messaging",
        init: { method: "POST", headers: { apikey: "atsk", Accept: "application/json" } },
      },
    ]);
    expect(calls.map(({ init }) => textOf(init))).toEqual([
      { username: "duka", to: sms.to, message: sms.text, bulkSMSMode: "1", from: "DUKA" },
    ]);
  });

  it("uses the sandbox for its username and omits a missing sender name", async () => {
    const { calls, fetch } = createFakeProvider(() => json(taken.africasTalking, { status: 201 }));
    await africasTalking(fetch, { username: "sandbox", from: null })();
    expect(calls).toMatchObject([
      { url: "https://api.sandbox.africastalking.com/version1/messaging" },
    ]);
    expect(calls.map(({ init }) => textOf(init).from)).toEqual([undefined]);
  });

  it.each([100, 101, 102])("treats recipient status %i as sent", async (statusCode) => {
    expect(await africasTalking(answered(statusCode))()).toMatchObject({ type: "sent" });
  });

  it.each([402, 403, 405, 406, 502])("treats recipient status %i as refused", async (code) => {
    expect(await africasTalking(answered(code))()).toEqual({
      type: "refused",
      reason: `recipient status ${code}`,
    });
  });

  it.each([500, 501])("treats recipient status %i as no answer", async (statusCode) => {
    expect(await africasTalking(answered(statusCode))()).toMatchObject({ type: "no_answer" });
  });

  it("treats a response without a recipient as refused", async () => {
    const { fetch } = createFakeProvider(() =>
      json({ SMSMessageData: { Message: "InvalidSenderId", Recipients: [] } }, { status: 201 }),
    );
    expect(await africasTalking(fetch)()).toMatchObject({ type: "refused" });
  });
});

describe("Resend", () => {
  it("sends the message id as the idempotency key", async () => {
    const { calls, fetch } = createFakeProvider(() => json(taken.resend));
    expect(await resend(fetch)()).toEqual({ type: "sent", providerId: taken.resend.id });
    expect(calls).toMatchObject([
      {
        url: "https://api.resend.com/emails",
        init: {
          method: "POST",
          headers: { Authorization: "Bearer re_1", "Idempotency-Key": email.id },
        },
      },
    ]);
    expect(calls.map(({ init }) => JSON.parse(String(init.body)))).toEqual([
      {
        from: "Duka <codes@duka.example>",
        to: [email.to],
        subject: email.subject,
        text: email.text,
      },
    ]);
  });

  it("sends HTML, files, the shop's name and its reply address", async () => {
    const { calls, fetch } = createFakeProvider(() => json(taken.resend));
    await resendSender({ apiKey: "re_1", from: "Duka <codes@duka.example>" }, { fetch }).send({
      ...email,
      html: "<p>Hi</p>",
      senderName: 'Ama\r\nBcc: x@y.z "Books" <a@b.c>',
      replyTo: "help@books.example",
      attachments: [{ filename: "a.ics", contentType: "text/calendar", content: "é" }],
    });
    expect(JSON.parse(String(calls[0]?.init.body))).toMatchObject({
      from: '"Ama Bcc: x@y.z Books a@b.c" <codes@duka.example>',
      html: "<p>Hi</p>",
      reply_to: "help@books.example",
      attachments: [{ filename: "a.ics", content_type: "text/calendar", content: "w6k=" }],
    });
  });

  it.each([
    ["invalid_idempotent_request", { type: "sent", providerId: null }],
    ["concurrent_idempotent_requests", { type: "no_answer", reason: "status 409" }],
    ["something_else", { type: "refused", reason: "status 409" }],
  ])("takes a 409 %s for what it means", async (name, result) => {
    const { fetch } = createFakeProvider(() => json({ name, message: "…" }, { status: 409 }));
    expect(await resend(fetch)()).toMatchObject(result);
  });
});

describe.each([
  ["Twilio", twilio],
  ["Africa's Talking", africasTalking],
  ["Resend", resend],
])("failures of %s", (_name, send) => {
  const answering = (body: BodyInit | null, init: ResponseInit) =>
    send(async () => new Response(body, init))();

  it.each([301, 400, 401, 403, 404, 422])("treats %i as refused", async (status) => {
    const logged = JSON.stringify({ code: 20003, message: `'To' ${sms.to} is not valid` });
    const result = await answering(logged, { status });
    expect(result).toEqual({ type: "refused", reason: `status ${status}` });
  });

  it.each([408, 500, 502, 503])("treats %i as no answer", async (status) => {
    expect(await answering("down", { status })).toEqual({
      type: "no_answer",
      reason: `status ${status}`,
      retryAfterMs: null,
    });
  });

  it("treats 429 as no answer and returns its Retry-After", async () => {
    expect(await answering("slow down", { status: 429, headers: { "Retry-After": "7" } })).toEqual({
      type: "no_answer",
      reason: "status 429",
      retryAfterMs: 7_000,
    });
  });

  it.each(["", "<html>", "{}", "null", '{"id": 7, "sid": 7}'])(
    "treats a response such as %j as no answer",
    async (body) => {
      expect(await answering(body, { status: 200 })).toMatchObject({
        type: "no_answer",
        reason: "answer not understood",
      });
    },
  );

  it("times out", async () => {
    expect(await send(neverRespond, { timeoutMs: 20 })()).toMatchObject({
      type: "no_answer",
      reason: "timeout",
    });
  });

  it("stops reading an endless response", async () => {
    expect(await send(async () => endlessResponse())()).toMatchObject({
      type: "no_answer",
      reason: "answer not understood",
    });
  });

  it("treats a broken connection as no answer", async () => {
    const broken = () => Promise.reject(new Error("connection reset"));
    expect(await send(broken)()).toMatchObject({
      type: "no_answer",
      reason: "connection failed",
    });
  });
});

describe("sendMessage", () => {
  it("prints the message in development", async () => {
    const lines: string[] = [];
    const terminal = consoleSender((line) => lines.push(line));
    expect(await sendMessage({ sms: terminal, email: null }, sms)).toMatchObject({ type: "sent" });
    expect(lines).toEqual(["[sms to +233241234567] 123 & 456 is your code"]);
  });

  it("reports an e-mail that the mailbox of development refuses as bounced", async () => {
    const terminal = consoleSender(
      () => {},
      async () => false,
    );
    const senders = { sms: terminal, email: terminal };
    expect(await sendMessage(senders, email)).toMatchObject({ type: "refused", isBounce: true });
    expect(await sendMessage(senders, sms)).toMatchObject({ type: "refused", isBounce: false });
  });

  it("refuses a channel without a provider", async () => {
    const { fetch } = createFakeProvider(() => json(taken.resend));
    const senders = {
      sms: null,
      email: resendSender({ apiKey: "re_1", from: "a@b.c" }, { fetch }),
    };
    expect(await sendMessage(senders, email)).toMatchObject({ type: "sent" });
    expect(await sendMessage(senders, sms)).toEqual({
      type: "refused",
      reason: "no provider of sms is configured",
      provider: null,
    });
  });
});
