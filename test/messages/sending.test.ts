import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hour, minute } from "../../shared/kernel/index.ts";
import { createCustomer, emailContact } from "../support/create-customer.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runAllJobs } from "../support/cron.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";
import {
  deliverMessages,
  listMessageRows,
  providerSettings,
  queueMessagesOf,
  sendMessagesOf,
  stubMessageProviders,
} from "./create-messages.ts";

const start = Date.UTC(2026, 11, 1, 12);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const customer = { name: "Ama Mensah", email: "ama@example.com", phone: "0241234567" };

async function createPaidOrder(fields: object = {}) {
  const shop = await createBusiness({ name: "Corner Books" });
  const product = await createProduct(shop, { name: "Tea" });
  const order = await createOrder(shop, product.id, { fields: { customer, ...fields } });
  return { shop, order, product };
}

describe("messages of an order", () => {
  it("go out once by e-mail and SMS, also when jobs run twice", async () => {
    const { emails, texts } = stubMessageProviders();
    const { shop, order } = await createPaidOrder();
    await Promise.all([queueMessagesOf(shop), queueMessagesOf(shop), queueMessagesOf(shop)]);
    await Promise.all([sendMessagesOf(shop), sendMessagesOf(shop), sendMessagesOf(shop)]);
    await runAllJobs({ ...env, ...providerSettings });
    const subjects = [
      `We have received your order ${order.number}`,
      `Your receipt for order ${order.number}`,
    ];
    expect(emails.map(({ subject }) => subject).sort()).toEqual(subjects.sort());
    expect(emails[0]).toMatchObject({
      from: '"Corner Books" <shop@duka.example>',
      to: ["ama@example.com"],
    });
    expect(texts.map(({ to }) => to)).toEqual(["+233241234567", "+233241234567"]);
    expect(await listMessageRows(shop)).toMatchObject(
      ["order.confirmation", "order.receipt"].flatMap((name) => [
        {
          name,
          channel: "email",
          status: "sent",
          provider: "resend",
          attempts: 1,
          order_id: order.id,
        },
        {
          name,
          channel: "sms",
          status: "sent",
          provider: "twilio",
          attempts: 1,
          order_id: order.id,
        },
      ]),
    );
  });

  it("show the items, the totals and the taxes", async () => {
    const { emails } = stubMessageProviders();
    const { shop } = await createPaidOrder();
    await deliverMessages(shop);
    const receipt = emails.find(({ subject }) => subject.startsWith("Your receipt"));
    expect(receipt?.text).toContain("2 × Tea: GHS 20.00");
    expect(receipt?.text).toContain("Total: GHS 20.00");
    expect(receipt?.html).toContain('<tr><td>2 × Tea</td><td class="amount" align="right">');
  });

  it("are retried for 24 hours when the provider is down, and never lost", async () => {
    const { emails, faults } = stubMessageProviders();
    const { shop } = await createPaidOrder({ customer: { ...customer, phone: undefined } });
    await queueMessagesOf(shop);
    faults.before = () => new Response("down", { status: 503 });
    const waits: number[] = [];
    for (let last = start; ; ) {
      await sendMessagesOf(shop);
      const [row] = await listMessageRows(shop);
      if (row?.status !== "queued") break;
      waits.push((Number(row.next_attempt_at) - last) / minute);
      last = Number(row.next_attempt_at);
      vi.setSystemTime(last);
    }
    expect(
      waits.every((wait, index) => index === 0 || wait >= Number(waits[index - 1]) || wait >= 60),
    ).toBe(true);
    expect(Date.now() - start).toBeGreaterThanOrEqual(24 * hour);
    expect(await listMessageRows(shop)).toMatchObject([
      { status: "failed", error: "status 503", attempts: 10 },
      { status: "failed" },
    ]);
    delete faults.before;
    expect(emails).toEqual([]);
  });

  it("are sent once when the provider's answer or its record is lost", async () => {
    const { emails, faults } = stubMessageProviders();
    const { shop } = await createPaidOrder({ customer: { ...customer, phone: undefined } });
    await queueMessagesOf(shop);
    faults.after = () => new Response("gateway timeout", { status: 504 });
    await sendMessagesOf(shop);
    expect(emails).toHaveLength(2);
    delete faults.after;
    vi.setSystemTime(start + 2 * minute);
    await sendMessagesOf(shop);
    expect(emails).toHaveLength(2);
    expect(await listMessageRows(shop)).toMatchObject([
      { status: "sent", provider_id: "re_1", attempts: 2 },
      { status: "sent", provider_id: "re_2", attempts: 2 },
    ]);
  });

  it("are exported for their customer, and do not go out after an erasure", async () => {
    const { emails, texts } = stubMessageProviders();
    const { shop } = await createPaidOrder();
    const { id } = await createCustomer(shop, emailContact(customer.email));
    await queueMessagesOf(shop);
    const exported = await merchant(shop)("GET", `/customers/${id}/data`);
    expect(dataOf(exported).messages).toMatchObject([
      { name: "order.receipt", channel: "sms", to: "+233241234567", status: "queued" },
      { name: "order.receipt", channel: "email", to: "ama@example.com", status: "queued" },
      { name: "order.confirmation", channel: "sms" },
      { name: "order.confirmation", channel: "email" },
    ]);
    await merchant(shop)("DELETE", `/customers/${id}/data`);
    await sendMessagesOf(shop);
    expect([...emails, ...texts]).toEqual([]);
    const rows = await listMessageRows(shop);
    expect(rows).toMatchObject(Array(4).fill({ status: "skipped", error: "erased" }));
    expect(JSON.stringify(rows)).not.toMatch(/ama@example|233241234567/);
  });
});
