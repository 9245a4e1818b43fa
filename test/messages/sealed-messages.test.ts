import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { runAllJobs } from "../support/cron.ts";
import { readWaitingCode } from "../support/sealed-messages.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";
import {
  listMessageRows,
  providerSettings,
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

const email = "ama@example.com";

async function createShop() {
  const providers = stubMessageProviders();
  const shop = await createBusiness({ mode: "live", name: "Corner <Books>" });
  return { ...providers, shop, ask: merchant(shop) };
}

const requestCode = (shop: CreatedBusiness, contact: string) =>
  shopper(shop)("POST", "/auth/request-otp", { body: { contact } });

describe("a one-time code of a storefront", () => {
  it("goes out in the shop's look, and leaves no code and no address in the log", async () => {
    const { emails, texts, shop, ask } = await createShop();
    expect(await requestCode(shop, email)).toMatchObject({ status: 200 });
    expect(await requestCode(shop, "0241234567")).toMatchObject({ status: 200 });
    const code = await readWaitingCode(env.SHOP_1, shop.business.id);
    const [waiting] = await listMessageRows(shop);
    expect(JSON.stringify(waiting)).not.toContain(code);
    await Promise.all([sendMessagesOf(shop), sendMessagesOf(shop)]);
    expect(emails).toMatchObject([
      {
        to: [email],
        subject: "Your code for Corner <Books>",
        from: '"Corner Books" <shop@duka.example>',
      },
    ]);
    expect(emails[0]?.html).toMatch(/<p class="code">\d{6}<\/p>/);
    expect(emails[0]?.text).toMatch(/\n\n\d{6}\n\nIt is valid for 5 minutes\. /);
    expect(texts).toMatchObject([
      { body: expect.stringMatching(/^\d{6} is your code for Corner/) },
    ]);
    expect(await listMessageRows(shop)).toMatchObject([
      { channel: "email", status: "sent", recipient: "am•••@example.com", sealed_values: null },
      { channel: "sms", status: "sent", recipient: "+233•••67", sealed_values: null },
    ]);
    const log = dataOf(await ask("GET", "/messages")).items;
    expect(log).toMatchObject([{ name: "one_time_code" }, { name: "one_time_code" }]);
  });

  it("is tried again while it is valid, and not sent after that", async () => {
    const { emails, faults, shop, ask } = await createShop();
    vi.spyOn(console, "error").mockReturnValue();
    faults.before = () => new Response("down", { status: 503 });
    await requestCode(shop, email);
    for (let seconds = 0; seconds < 300; seconds += 20) {
      vi.setSystemTime(start + seconds * 1_000);
      await sendMessagesOf(shop);
    }
    delete faults.before;
    vi.setSystemTime(start + 5 * minute);
    await sendMessagesOf(shop);
    const [failed] = await listMessageRows(shop);
    expect(failed).toMatchObject({ status: "failed", error: "status 503", sealed_values: null });
    expect(await ask("POST", `/messages/${failed?.id}/retry`)).toMatchObject({ status: 422 });
    await requestCode(shop, email);
    vi.setSystemTime(start + 10 * minute);
    await sendMessagesOf(shop);
    expect(emails).toEqual([]);
    expect(await listMessageRows(shop)).toMatchObject([
      { status: "failed" },
      { status: "skipped", error: "expired", sealed_values: null },
    ]);
  });

  it("is written by the shop's own template, which must contain the code", async () => {
    const { emails, shop, ask } = await createShop();
    const path = "/messages/templates/one_time_code";
    for (const body of [{ body: "Hi" }, { sms_body: "{{minutes}}" }, { is_enabled: false }])
      expect(await ask("PATCH", path, { body })).toMatchObject({ status: 400 });
    const body = { subject: "Log in", body: "Use {{code}} now." };
    expect(await ask("PATCH", path, { body })).toMatchObject({ status: 200 });
    await requestCode(shop, email);
    await sendMessagesOf(shop);
    expect(emails).toMatchObject([
      { subject: "Log in", text: expect.stringMatching(/^Use \d{6} now\.\n$/) },
    ]);
  });
});

describe("an invitation", () => {
  it("goes out once by the templates of its business, also when its wakeups are lost", async () => {
    const { emails, shop, ask } = await createShop();
    await ask("PATCH", "/messages/templates/member.invitation", {
      body: { subject: "Join as {{role}}" },
    });
    const invited = await ask("POST", "/members", { body: { email, role: "orders" } });
    expect(invited).toMatchObject({ status: 201 });
    vi.spyOn(env.MESSAGES, "send").mockRejectedValue(new Error("queue down"));
    const cron = () => runAllJobs({ ...env, ...providerSettings });
    await Promise.all([cron(), cron()]);
    await cron();
    await cron();
    expect(emails).toMatchObject([{ to: [email], subject: "Join as orders" }]);
    expect(emails[0]?.html).toContain('href="https://duka.test/console"');
    expect(await listMessageRows(shop)).toMatchObject([
      { name: "member.invitation", status: "sent", sealed_values: null },
    ]);
    const { results } = await env.CORE.prepare("select * from core_messages").all();
    expect(results).toEqual([]);
  });
});
