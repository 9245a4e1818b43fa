import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { hour } from "../../shared/kernel/index.ts";
import {
  daysAfter,
  firstRenewalTime,
  setPhoneDigit,
  startTime,
} from "../renewals/renewal-state.ts";
import { createSubscription, runCronAt } from "../subscriptions/create-subscription.ts";
import { runAllJobs } from "../support/cron.ts";
import { createBusiness, type TestBusiness } from "../support/world.ts";
import {
  listMessageRows,
  providerSettings,
  sendMessagesOf,
  stubMessageProviders,
} from "./create-messages.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(startTime) });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function createSubscribed() {
  const providers = stubMessageProviders();
  const shop = await createBusiness();
  const customer = { name: "Ama", phone: "0241234567", email: "ama@example.com" };
  const subscribed = await createSubscription(shop, { fields: { customer } });
  return { ...providers, shop, subscribed };
}

const ofSubscriptions = async (shop: TestBusiness) =>
  (await listMessageRows(shop)).filter(({ name }) => /^subscription/.test(String(name)));

const bindings = { ...env, ...providerSettings };

/** Runs all jobs twice beside each other and then again. */
async function runJobs(): Promise<void> {
  await Promise.all([runAllJobs(bindings), runAllJobs(bindings)]);
  await runAllJobs(bindings);
}

it("tells once that a renewal failed, with the reason, the amount and the next attempt", async () => {
  const { emails, shop, subscribed } = await createSubscribed();
  await setPhoneDigit(shop, subscribed, "3");
  await runCronAt(shop, firstRenewalTime);
  await runJobs();
  const failures = emails.filter(({ subject }) => /subscription/.test(subject));
  expect(failures).toMatchObject([
    { subject: "The payment for your subscription did not go through", to: ["ama@example.com"] },
  ]);
  expect(failures[0]?.text).toMatch(
    /Monthly\.\nReason: The payment was refused\.\n\n2 × .*: GHS 14\.00\n\nAmount: GHS 14\.00\nWe try again on Friday, March 1, 2030\./,
  );
  expect(JSON.stringify(failures)).not.toMatch(/unsubscribe/i);
  expect(emails.filter(({ subject }) => /^The payment for order/.test(subject))).toEqual([]);
  expect(await ofSubscriptions(shop)).toMatchObject([{ status: "sent", attempts: 1 }]);
});

it("does not tell of a failure that was paid before its message could be sent", async () => {
  const { emails, faults, shop, subscribed } = await createSubscribed();
  await setPhoneDigit(shop, subscribed, "3");
  await runCronAt(shop, firstRenewalTime);
  faults.before = () => new Response("down", { status: 503 });
  await runAllJobs(bindings);
  expect(await ofSubscriptions(shop)).toMatchObject([{ status: "queued" }]);
  delete faults.before;
  await setPhoneDigit(shop, subscribed, "0");
  await runCronAt(shop, daysAfter(firstRenewalTime, 1));
  await sendMessagesOf(shop);
  expect(emails.filter(({ subject }) => /subscription/.test(subject))).toEqual([]);
  expect(await ofSubscriptions(shop)).toMatchObject([{ status: "skipped", error: "outdated" }]);
});

it("tells 72 hours before a subscription ends, once, with a link to unsubscribe", async () => {
  const { emails, shop, subscribed } = await createSubscribed();
  const cancel = `/subscriptions/${subscribed.id}/cancel`;
  expect(await subscribed.ask("POST", cancel, { body: {} })).toMatchObject({ status: 200 });
  for (const hours of [73, 71]) {
    vi.setSystemTime(Date.parse(firstRenewalTime) - hours * hour);
    await runJobs();
    const endings = emails.filter(({ subject }) => /^Your subscription ends/.test(subject));
    expect(endings).toHaveLength(hours === 73 ? 0 : 1);
  }
  const ending = emails.find(({ subject }) => /^Your subscription ends/.test(subject));
  expect(ending?.subject).toBe("Your subscription ends on Thursday, February 28, 2030");
  expect(ending).toMatchObject({
    headers: {
      "List-Unsubscribe": expect.stringMatching(
        /^<https:\/\/duka\.example\/messages\/unsubscribe\/\S+>$/,
      ),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  });
  expect(ending?.html).toContain(">Unsubscribe</a>");
  expect(await ofSubscriptions(shop)).toMatchObject([{ status: "sent", attempts: 1 }]);
});
