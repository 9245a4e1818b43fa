import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { day, hour } from "../../shared/kernel/index.ts";
import {
  at,
  cash,
  createBooking,
  createBookingShop,
  createService,
} from "../bookings/create-booking.ts";
import { withBindings } from "../support/bindings.ts";
import { createCustomer, emailContact } from "../support/create-customer.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant, type TestBusiness } from "../support/world.ts";
import {
  deliverMessages,
  listMessageRows,
  sendMessagesOf,
  stubMessageProviders,
} from "./create-messages.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const email = "ama@example.com";
const customer = { name: "Ama", email };
const secret = `whsec_${btoa("a secret of Resend for tests only")}`;
const callPage = withBindings({ RESEND_WEBHOOK_SECRET: secret });

type Incoming = Parameters<typeof callPage>[0];
const requestTo = (path: string, init: RequestInit = {}) =>
  new Request(`https://duka.test${path}`, init) as Incoming; // safe: the Worker reads no cf of it

/** Calls the public address with a path, without a key or a cookie. */
const call = (path: string, init: RequestInit = {}) => callPage(requestTo(path, init));

describe("a link to unsubscribe", () => {
  async function createReminder() {
    const { emails } = stubMessageProviders();
    const shop = await createBookingShop();
    const service = await createService(shop);
    await merchant(shop)("PATCH", "/messages/settings", { body: { sms: "never" } });
    const when = (days: number) => new Date(Date.parse(at(9)) + days * day).toISOString();
    const pay = { ...cash, customer };
    await createBooking(shop, service, { when: when(7), pay });
    await createBooking(shop, service, { when: when(8), pay });
    await deliverMessages(shop);
    vi.setSystemTime(Date.parse(when(6)));
    await sendMessagesOf(shop);
    const reminder = emails.find(({ subject }) => subject.startsWith("Reminder"));
    const path = /https:\/\/duka\.example(\/messages\/unsubscribe\/\S+)/.exec(reminder?.text ?? "");
    return { emails, shop, reminder, path: path?.[1] ?? "", nextAt: Date.parse(when(7)) };
  }

  it("is in reminders only, and ends them by one click, once and for all", async () => {
    const { emails, shop, reminder, path, nextAt } = await createReminder();
    expect(reminder).toMatchObject({
      headers: {
        "List-Unsubscribe": `<https://duka.example${path}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    });
    expect(reminder?.html).toContain(`href="https://duka.example${path}"`);
    for (const one of emails.filter(({ subject }) => !subject.startsWith("Reminder")))
      expect(JSON.stringify(one)).not.toMatch(/unsubscribe/i);
    const page = await call(path);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("<button>Unsubscribe</button>");
    expect(path).not.toContain(email);
    const click = {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    };
    for (const _ of [1, 2]) expect((await call(path, click)).status).toBe(200);
    emails.length = 0;
    vi.setSystemTime(nextAt);
    await sendMessagesOf(shop);
    expect(emails).toEqual([]);
    const rows = await listMessageRows(shop);
    expect(rows.filter(({ name }) => name === "booking.reminder")).toMatchObject([
      { status: "sent" },
      { status: "skipped", error: "unsubscribed" },
    ]);
    await createOrder(shop, (await createProduct(shop)).id, { fields: { customer } });
    await deliverMessages(shop);
    expect(emails.map(({ subject }) => subject)).toHaveLength(2);
  });

  it("cannot be forged, and changes nothing then", async () => {
    const { shop, path } = await createReminder();
    const forged = `${path.slice(0, -1)}${path.endsWith("0") ? "1" : "0"}`;
    for (const one of [forged, "/messages/unsubscribe/x", `${path}0`]) {
      expect((await call(one)).status).toBe(404);
      expect((await call(one, { method: "POST" })).status).toBe(404);
    }
    expect(await selectRows(shop, "select * from message_opt_outs")).toEqual([]);
  });
});

describe("a bounce that Resend reports", () => {
  async function createSent() {
    const { emails } = stubMessageProviders();
    const shop = await createBusiness();
    const { id } = await createProduct(shop);
    const order = () => createOrder(shop, id, { fields: { customer } });
    await order();
    await deliverMessages(shop);
    return { emails, shop, order, ask: merchant(shop) };
  }

  /** Reports an event of the e-mail's tags, as Resend does. */
  async function report(sent: object | undefined, type: string, over: object = {}) {
    const { tags } = Object(sent);
    const values = Object.entries(tags ?? []).map(([, tag]) => Object(tag));
    const body = JSON.stringify({
      type,
      data: { tags: Object.fromEntries(values.map(({ name, value }) => [name, value])), ...over },
    });
    const at = new Date();
    const headers = {
      "svix-id": "evt_1",
      "svix-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "svix-signature": new Webhook(secret).sign("evt_1", at, body),
    };
    const post = (text: string) =>
      call("/messages/resend", { method: "POST", headers, body: text });
    return { accepted: await post(body), forged: await post(`${body} `) };
  }

  it("marks the address once, and the merchant clears it by sending the message again", async () => {
    const { emails, shop, order, ask } = await createSent();
    for (const _ of [1, 2]) {
      const { accepted, forged } = await report(emails[0], "email.bounced");
      expect([accepted.status, forged.status]).toEqual([200, 401]);
    }
    const failed = dataOf(await ask("GET", "/messages?status=failed")).items;
    expect(failed).toMatchObject([{ error: "bounced", to: "am•••@example.com" }]);
    await order();
    emails.length = 0;
    await deliverMessages(shop);
    expect(emails).toEqual([]);
    expect(dataOf(await ask("GET", "/messages?status=skipped")).items).toMatchObject([
      { error: "suppressed" },
      { error: "suppressed" },
    ]);
    vi.setSystemTime(Date.now() + hour);
    await ask("POST", `/messages/${failed[0].id}/retry`);
    await order();
    await deliverMessages(shop);
    expect(emails).toHaveLength(3);
  });

  it("marks nothing that may pass or is of no message, but the address of who complains", async () => {
    const { emails, shop } = await createSent();
    await report(emails[0], "email.bounced", { bounce: { type: "Transient" } });
    await report(emails[0], "email.delivered");
    await report({}, "email.bounced");
    await report(
      {
        tags: [
          { name: "business", value: "biz_x" },
          { name: "message", value: "msg_x" },
        ],
      },
      "email.bounced",
    );
    expect(await marksOf(shop)).toEqual([]);
    await report(emails[0], "email.complained");
    expect(await marksOf(shop)).toMatchObject([{ recipient: email, reason: "complained" }]);
  });

  it("leaves no address behind when its customer is erased", async () => {
    const { emails, shop, ask } = await createSent();
    await report(emails[0], "email.bounced");
    const { id } = await createCustomer(shop, emailContact(email));
    vi.setSystemTime(Date.now() + hour);
    await ask("DELETE", `/customers/${id}/data`);
    expect(await marksOf(shop)).toEqual([]);
    await report(emails[0], "email.bounced");
    expect(await marksOf(shop)).toEqual([]);
  });

  it("is 404 in a deployment without the secret", async () => {
    const plain = withBindings({ ...env, RESEND_WEBHOOK_SECRET: undefined });
    const request = requestTo("/messages/resend", { method: "POST", body: "{}" });
    expect((await plain(request)).status).toBe(404);
  });
});

const marksOf = (shop: TestBusiness) =>
  selectRows(shop, "select * from suppressed_recipients where business_id = ?", shop.business.id);
