import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { messageNames, templateVariables } from "../../shared/messages/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";
import { deliverMessages, listMessageRows, stubMessageProviders } from "./create-messages.ts";

const customer = { name: "Ama", email: "ama@example.com", phone: "0241234567" };

async function createShop() {
  const shop = await createBusiness({ name: "Corner Books" });
  return { shop, ask: merchant(shop) };
}

describe("templates", () => {
  it("have built-in texts for every message, with known variables only", async () => {
    const { ask } = await createShop();
    const listed = dataOf(await ask("GET", "/messages/templates"));
    expect(listed.map(({ name }: { name: string }) => name)).toEqual([...messageNames]);
    for (const template of listed) {
      expect(template).toMatchObject({ is_enabled: true, is_custom: false, updated_at: null });
      const { subject, body, sms_body } = template;
      const saved = await ask("PATCH", `/messages/templates/${template.name}`, {
        body: { subject, body, sms_body },
      });
      expect(saved).toMatchObject({ status: 200, body: { data: { is_custom: true } } });
    }
  });

  it("escape names of customers and shops in every message", async () => {
    const hostile = '<img src=x onerror="alert(1)">&\'';
    const shop = await createBusiness({ name: hostile });
    for (const name of messageNames) {
      const lines = templateVariables[name].map((variable) => `{{${variable}}}`);
      const body = `${lines.join("\n\n")}\n\n${lines.join(" ")} ${hostile}`;
      const shown = dataOf(
        await merchant(shop)("POST", `/messages/templates/${name}/preview`, {
          body: { subject: `{{business_name}} ${hostile}`, body },
        }),
      );
      expect(shown.html, name).not.toMatch(/<img|onerror="/);
      expect(shown.html, name).toContain(
        "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;",
      );
      expect(shown.subject, name).toBe(`${hostile} ${hostile}`);
      expect(shown.text, name).toContain(hostile);
    }
  });

  it("refuse unknown variables at their field, and change nothing then", async () => {
    const { ask } = await createShop();
    for (const [body, field] of [
      [{ subject: "{{order_nr}}" }, "subject"],
      [{ subject: "{{order_number}}", body: "{{ tracking_number }}" }, "body"],
      [{ sms_body: "{{__proto__}}" }, "sms_body"],
    ] as const) {
      expect(await ask("PATCH", "/messages/templates/order.receipt", { body })).toMatchObject({
        status: 400,
        body: { error: { context: { field } } },
      });
    }
    expect(await ask("GET", "/messages/templates/order.receipt")).toMatchObject({
      body: { data: { is_custom: false } },
    });
    expect(await ask("GET", "/messages/templates/order.lost")).toMatchObject({ status: 404 });
    const noSms = { body: { sms_body: "Hi" } };
    expect(await ask("PATCH", "/messages/templates/support.reply", noSms)).toMatchObject({
      status: 400,
    });
    const off = { body: { is_enabled: false } };
    expect(await ask("PATCH", "/messages/templates/member.invitation", off)).toMatchObject({
      status: 400,
    });
  });

  it("decide what is sent, and a disabled one is skipped in the log", async () => {
    const { emails, texts } = stubMessageProviders();
    const { shop, ask } = await createShop();
    const product = await createProduct(shop);
    await ask("PATCH", "/messages/templates/order.receipt", { body: { is_enabled: false } });
    await ask("PATCH", "/messages/templates/order.confirmation", {
      body: { subject: "Thanks, {{customer_name}}", body: "See {{order_number}}", sms_body: "Hi" },
    });
    await ask("PATCH", "/messages/settings", {
      body: { sender_name: "Books", reply_to: "help@books.example", footer: "12 Ring Road" },
    });
    const order = await createOrder(shop, product.id, { fields: { customer } });
    await deliverMessages(shop);
    expect(emails).toMatchObject([
      {
        from: '"Books" <shop@duka.example>',
        reply_to: "help@books.example",
        subject: "Thanks, Ama",
      },
    ]);
    expect(emails[0]?.text).toBe(`See ${order.number}\n\n-- \n12 Ring Road\n`);
    expect(texts).toMatchObject([{ body: "Hi" }]);
    expect(dataOf(await ask("GET", "/messages?status=skipped")).items).toMatchObject([
      { name: "order.receipt", channel: "sms", to: "+233•••67", error: "disabled" },
      { name: "order.receipt", channel: "email", to: "am•••@example.com", error: "disabled" },
    ]);
    await ask("PATCH", "/messages/templates/order.confirmation", { body: { subject: null } });
    expect(await ask("GET", "/messages/templates/order.confirmation")).toMatchObject({
      body: { data: { subject: "We have received your order {{order_number}}", is_custom: true } },
    });
    vi.unstubAllGlobals();
  });

  it("are sent to a member or an address as a test, which the log does not show", async () => {
    const { shop, ask } = await createShop();
    const send = vi.spyOn(env.MESSAGES, "send");
    const path = "/messages/templates/order.receipt/send-test";
    expect(await ask("POST", path, { body: { to: "Ama@Example.com" } })).toMatchObject({
      status: 200,
      body: { data: { to: "ama@example.com" } },
    });
    expect(await ask("POST", path, { body: {} })).toMatchObject({
      status: 400,
      body: { error: { context: { field: "to" } } },
    });
    expect(send).toHaveBeenCalledTimes(1);
    expect(await listMessageRows(shop)).toEqual([]);
    send.mockRestore();
  });
});

describe("the log", () => {
  it("lists messages by page, and sends failed ones again", async () => {
    const { emails, faults } = stubMessageProviders();
    const { shop, ask } = await createShop();
    const product = await createProduct(shop);
    await ask("PATCH", "/messages/settings", { body: { sms: "without_email" } });
    const order = await createOrder(shop, product.id, { fields: { customer } });
    faults.before = () => new Response("", { status: 422 });
    await deliverMessages(shop);
    const first = dataOf(await ask("GET", `/messages?order_id=${order.id}&limit=1`));
    const cursor = encodeURIComponent(first.pagination.next_cursor);
    const second = dataOf(
      await ask("GET", `/messages?order_id=${order.id}&limit=1&cursor=${cursor}`),
    );
    const [failed] = first.items;
    expect([failed, ...second.items]).toMatchObject([
      { name: "order.receipt", status: "failed", error: "status 422", provider: "resend" },
      { name: "order.confirmation", status: "failed" },
    ]);
    delete faults.before;
    const retry = () => ask("POST", `/messages/${failed.id}/retry`);
    expect(await retry()).toMatchObject({ status: 200, body: { data: { status: "queued" } } });
    await deliverMessages(shop);
    expect(emails).toHaveLength(1);
    expect(await retry()).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "INVALID_STATE", status: "sent" } } },
    });
    vi.unstubAllGlobals();
  });
});
