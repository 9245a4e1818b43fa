import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  cash,
  createBooking,
  createBookingShop,
  createService,
} from "../bookings/create-booking.ts";
import { merchant } from "../support/world.ts";
import { listMessageRows, queueMessagesOf, sendMessagesOf } from "./create-messages.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Sent = Parameters<SendEmail["send"]>[0] & Readonly<Record<string, unknown>>;

/** A shop with a booking whose confirmation is due, and Cloudflare's binding. */
async function createBookedShop(answer: () => Promise<object>) {
  const sent: Sent[] = [];
  const shop = await createBookingShop();
  const settings = { sms: "never", sender_name: 'Ama"s Salon', reply_to: "ama@shop.example" };
  await merchant(shop)("PATCH", "/messages/settings", { body: settings });
  const pay = { ...cash, customer: { name: "Ama", email: "ama@example.com" } };
  await createBooking(shop, await createService(shop), { pay });
  const send = (message: Sent) => {
    sent.push(message);
    return answer();
  };
  const over = { EMAIL_PROVIDER: "cloudflare", EMAIL: { send } };
  await queueMessagesOf(shop, over);
  await sendMessagesOf(shop, over);
  const rows = await listMessageRows(shop);
  return { sent, row: rows.find(({ name }) => name === "booking.confirmation") };
}

it("sends e-mail through Cloudflare's binding, with the calendar file as bytes", async () => {
  const { sent, row } = await createBookedShop(async () => ({ messageId: "cf_1" }));
  const booked = sent.find(({ subject }) => String(subject).startsWith("Your booking"));
  expect(booked).toMatchObject({
    from: { name: expect.stringContaining("Salon"), email: "shop@duka.example" },
    to: "ama@example.com",
    replyTo: "ama@shop.example",
    html: expect.stringContaining("<html"),
    text: expect.stringContaining("Thank you for your booking."),
    headers: {},
    attachments: [{ disposition: "attachment", filename: "booking.ics" }],
  });
  const [file] = Array.isArray(booked?.attachments) ? booked.attachments : [];
  expect(file?.type).toContain("text/calendar");
  const content = file?.content;
  if (!ArrayBuffer.isView(content)) throw new Error("The file is not sent as bytes.");
  expect(new TextDecoder().decode(content)).toMatch(/^BEGIN:VCALENDAR\r\n/);
  expect(row).toMatchObject({ status: "sent", provider: "cloudflare", provider_id: "cf_1" });
});

it("tries again or gives up by the code of the binding's error", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  for (const [code, status, error] of [
    ["E_RATE_LIMIT_EXCEEDED", "queued", "E_RATE_LIMIT_EXCEEDED"],
    [undefined, "queued", "connection failed"],
    ["E_CONTENT_TOO_LARGE", "failed", "E_CONTENT_TOO_LARGE"],
    ["E_RECIPIENT_SUPPRESSED", "failed", "bounced"],
  ] as const) {
    const failure = Object.assign(new Error("words of the provider"), code && { code });
    const { row } = await createBookedShop(() => Promise.reject(failure));
    expect(row, code).toMatchObject({ status, error });
  }
});
