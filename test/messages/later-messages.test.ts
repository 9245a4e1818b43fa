import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { day, hour, minute } from "../../shared/kernel/index.ts";
import {
  at,
  cancelBooking,
  cash,
  createBooking,
  createBookingShop,
  createService,
  rescheduleBooking,
  start,
} from "../bookings/create-booking.ts";
import { sendMessage, waitUntilListed } from "../support/create-conversation.ts";
import { dataOf, merchant, shopper } from "../support/world.ts";
import {
  deliverMessages,
  listMessageRows,
  queueMessagesOf,
  sendMessagesOf,
  stubMessageProviders,
} from "./create-messages.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const pay = { ...cash, customer: { name: "Ama", email: "ama@example.com", phone: "0241234567" } };
const subjectsOf = (emails: readonly { subject: string }[]) => emails.map(({ subject }) => subject);
const inDays = (days: number) => new Date(Date.parse(at(9)) + days * day).toISOString();

async function createBookedShop() {
  const providers = stubMessageProviders();
  const shop = await createBookingShop();
  const service = await createService(shop);
  await merchant(shop)("PATCH", "/messages/settings", { body: { sms: "never" } });
  const booked = await createBooking(shop, service, { when: inDays(7), pay });
  await deliverMessages(shop);
  return { ...providers, shop, booked };
}

describe("bookings", () => {
  it("are confirmed and moved with a calendar file, in the time of their place", async () => {
    const { emails, shop, booked } = await createBookedShop();
    await rescheduleBooking(booked.ask, booked, inDays(8));
    await deliverMessages(shop);
    const [confirmed, moved] = emails.filter(({ attachments }) => attachments);
    expect(confirmed?.text).toMatch(
      /Massage\nMonday, May 13, 2030, 09:00 AM GMT to 10:00 AM GMT\n/,
    );
    expect(moved?.subject).toBe("Your booking was moved to Tuesday, May 14, 2030, 09:00 AM GMT");
    const files = [confirmed, moved].map((email) => atob(email?.attachments?.[0]?.content ?? ""));
    expect(files[0]).toMatch(/METHOD:PUBLISH\r\n[\s\S]*DTSTART:20300513T090000Z\r\n/);
    expect(files[1]).toMatch(/DTSTART:20300514T090000Z\r\n/);
    const [first, second] = files.map((file) => [
      /UID:(.*)\r/.exec(file)?.[1],
      Number(/SEQUENCE:(\d+)/.exec(file)?.[1]),
    ]);
    expect(second?.[0]).toBe(first?.[0]);
    expect(Number(second?.[1])).toBeGreaterThan(Number(first?.[1]));
  });

  it("have one reminder, 24 hours before their latest time", async () => {
    const { emails, shop, booked } = await createBookedShop();
    await rescheduleBooking(booked.ask, booked, inDays(9));
    await deliverMessages(shop);
    emails.length = 0;
    for (const time of [6, 6.5, 7.9, 8.01, 8.5].map((days) => Date.parse(at(9)) + days * day)) {
      vi.setSystemTime(time);
      await Promise.all([sendMessagesOf(shop), sendMessagesOf(shop)]);
      expect(emails).toHaveLength(time < Date.parse(inDays(8)) ? 0 : 1);
    }
    expect(subjectsOf(emails)[0]).toMatch(/^Reminder: Massage on Wednesday, May 15, 2030/);
    const reminders = (await listMessageRows(shop)).filter(
      ({ name }) => name === "booking.reminder",
    );
    expect(reminders.map(({ status, error }) => [status, error]).sort()).toEqual([
      ["sent", null],
      ["skipped", "outdated"],
    ]);
  });

  it("have no reminder when cancelled, and follow a change of its hours", async () => {
    const { emails, shop, booked } = await createBookedShop();
    await merchant(shop)("PATCH", "/messages/settings", { body: { reminder_hours: 48 } });
    const due = () =>
      listMessageRows(shop).then(
        (rows) => rows.find(({ name }) => name === "booking.reminder")?.next_attempt_at,
      );
    expect(await due()).toBe(Date.parse(inDays(7)) - 48 * hour);
    await cancelBooking(booked.ask, booked);
    await deliverMessages(shop);
    emails.length = 0;
    vi.setSystemTime(Date.parse(inDays(6)));
    await sendMessagesOf(shop);
    expect(emails).toEqual([]);
  });
});

describe("an agent's answer", () => {
  async function createAnswered({ secondAt = start + minute } = {}) {
    const providers = stubMessageProviders();
    const shop = await createBookingShop();
    const ask = shopper(shop);
    const contact = { contact: "ama@example.com" };
    await ask("POST", "/auth/request-otp", { body: { ...contact, contact_type: "email" } });
    await ask("POST", "/auth/verify-otp", {
      body: { ...contact, contact_type: "email", otp_code: "123456" },
    });
    const opened = await ask("POST", "/support/conversation");
    const threadId = String(dataOf(opened).conversation.id);
    await sendMessage(ask, "Where is it?");
    const answer = (content: string) =>
      merchant(shop)("POST", `/conversations/${threadId}/messages`, {
        body: { content, client_id: content },
      });
    vi.setSystemTime(start + minute);
    expect(await answer("On its way")).toMatchObject({ status: 201 });
    vi.setSystemTime(secondAt);
    await answer("It arrives <today>");
    await waitUntilListed(shop, threadId, { message_count: 3 });
    await queueMessagesOf(shop);
    return { ...providers, shop, ask, threadId };
  }

  it("goes out once by e-mail when the shopper stays away for five minutes", async () => {
    const { emails, shop } = await createAnswered();
    vi.setSystemTime(start + 5 * minute);
    await sendMessagesOf(shop);
    expect(emails).toEqual([]);
    vi.setSystemTime(start + 7 * minute);
    await sendMessagesOf(shop);
    await sendMessagesOf(shop);
    expect(emails).toMatchObject([{ to: ["ama@example.com"] }]);
    expect(emails[0]?.text).toContain("On its way\n\nIt arrives <today>");
    expect(emails[0]?.html).toMatch(
      /<blockquote [^>]*>On its way<br>\s*<br>\s*It arrives &lt;today&gt;<\/blockquote>/,
    );
    expect(emails[0]?.text).toContain(`/shop/${shop.business.slug}/support`);
  });

  it("shows later answers, which then have no message of their own, after an outage", async () => {
    const { emails, shop } = await createAnswered({ secondAt: start + 11 * minute });
    vi.setSystemTime(start + 30 * minute);
    await sendMessagesOf(shop);
    expect(emails).toHaveLength(1);
    expect(emails[0]?.text).toContain("On its way\n\nIt arrives <today>");
    const rows = await listMessageRows(shop);
    expect(rows.map(({ status, error }) => [status, error]).sort()).toEqual([
      ["sent", null],
      ["skipped", "repeated"],
    ]);
  });

  it("does not go out when the shopper has read it", async () => {
    const { emails, shop, ask } = await createAnswered();
    vi.setSystemTime(start + 2 * minute);
    await ask("GET", "/support/conversation/messages");
    vi.setSystemTime(start + 7 * minute);
    await sendMessagesOf(shop);
    expect(emails).toEqual([]);
    expect(await listMessageRows(shop)).toMatchObject([
      { status: "skipped", error: "read" },
      { status: "skipped", error: "read" },
    ]);
  });
});
