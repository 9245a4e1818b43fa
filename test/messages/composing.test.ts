import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hour, minute } from "../../shared/kernel/index.ts";
import { calendarFile } from "../../shared/messages/rendering/calendar-file.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, type TestBusiness } from "../support/world.ts";
import {
  deliverMessages,
  listMessageRows,
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

const email = "ama@example.com";
/** Ends the header, the paragraph, the property and the sentence that it is written into. */
const hostile =
  '"Ama\n\nTotal: 0\tBcc: eve@evil.com\u202e<b onload="x">&\' https://evil.com www.evil.com; a,b\\';

async function createOrderBy(name: string, product: object = {}) {
  const shop = await createBusiness({ name: "Corner Books" });
  const { id } = await createProduct(shop, product);
  await createOrder(shop, id, { fields: { customer: { name, email } } });
  return shop;
}

const ofReceipt = async (shop: TestBusiness) =>
  (await listMessageRows(shop)).find(({ name }) => name === "order.receipt");

/** Sends due messages until the receipt has ended; returns the hours that this took. */
async function sendUntilEnded(shop: TestBusiness): Promise<number> {
  for (;;) {
    await sendMessagesOf(shop);
    const receipt = await ofReceipt(shop);
    if (receipt?.status !== "queued") return (Date.now() - start) / hour;
    vi.setSystemTime(Number(receipt.next_attempt_at));
  }
}

describe("a message that cannot be composed", () => {
  it("fails with its error after the last attempt of the schedule", async () => {
    const { emails } = stubMessageProviders();
    vi.spyOn(console, "error").mockReturnValue();
    const shop = await createOrderBy("Ama");
    await selectRows(
      shop,
      "insert into message_settings (business_id, locale, updated_at) values (?, 'no locale!', 0)",
      shop.business.id,
    );
    await queueMessagesOf(shop);
    expect(await sendUntilEnded(shop)).toBeGreaterThanOrEqual(24);
    expect(emails).toEqual([]);
    expect(await ofReceipt(shop)).toMatchObject({
      ...{ status: "failed", error: "internal error", attempts: 10, next_attempt_at: null },
    });
  });

  it("fails when no attempt comes to its end, as after a crash in each of them", async () => {
    const { emails } = stubMessageProviders();
    vi.spyOn(console, "error").mockReturnValue();
    const shop = await createOrderBy("Ama");
    await queueMessagesOf(shop);
    await selectRows(
      shop,
      `update messages set attempts = 10, first_attempt_at = ${start - 24 * hour},
        next_attempt_at = ${start} where name = 'order.receipt'`,
    );
    await sendMessagesOf(shop);
    expect(await ofReceipt(shop)).toMatchObject({
      ...{ status: "failed", error: "interrupted", attempts: 10, next_attempt_at: null },
    });
    expect(emails).toHaveLength(1);
  });

  it("is leased until the next time of the schedule, so that a crash is a failed attempt", async () => {
    const shop = await createOrderBy("Ama");
    await queueMessagesOf(shop);
    const leases: unknown[] = [];
    vi.stubGlobal("fetch", async () => {
      leases.push((await ofReceipt(shop))?.next_attempt_at);
      return new Response("down", { status: 503 });
    });
    for (const attempts of [0, 4]) {
      await selectRows(
        shop,
        `update messages set attempts = ?, first_attempt_at = ${start - 16 * minute},
          next_attempt_at = case name when 'order.receipt' then ${start} else ${start + hour} end
          where business_id = ?`,
        attempts,
        shop.business.id,
      );
      await sendMessagesOf(shop);
    }
    expect(leases).toEqual([start + 2 * minute, start - 16 * minute + 2 * hour]);
  });
});

describe("hostile names", () => {
  it("add no line, header, link or markup to a message", async () => {
    const { emails } = stubMessageProviders();
    const shop = await createOrderBy(hostile, { name: hostile });
    await deliverMessages(shop);
    expect(emails).toHaveLength(2);
    for (const { text, html, subject, from } of emails) {
      expect(`${subject}${from}`).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(text).not.toMatch(/[\r\t\u202e]/);
      expect(text.split("\n").filter((line) => line.startsWith("Total: 0"))).toEqual([]);
      expect(html).not.toMatch(/<b |onload="/);
      const [greeting = ""] = text.split("\n");
      expect(greeting).toMatch(/^Hello "Ama Total: 0 Bcc/);
      expect(greeting).not.toMatch(/:\/\/|\w\.\w/);
    }
  });

  it("stay in the text of a calendar entry, in lines of at most 75 bytes", () => {
    const { content } = calendarFile({
      booking: {
        ...{ id: "bok_1", startTime: start, endTime: start + hour, version: 3 },
        ...{ serviceName: `Massage\r\nBEGIN:VALARM\n${"é€😀".repeat(30)}`, status: "confirmed" },
      },
      businessName: 'Corner "Books"\r\nX:1; a=b',
      organizerEmail: "shop@duka.example",
      place: "Ring Road; Accra, GH\\",
      stampedAt: start,
    });
    const lines = content.split("\r\n");
    expect(content).not.toMatch(/[^\r]\n|\r[^\n]/);
    expect(lines.every((line) => new TextEncoder().encode(line).length <= 75)).toBe(true);
    const unfolded = content.replaceAll("\r\n ", "").split("\r\n");
    expect(unfolded.filter((line) => !/^[A-Z]+[:;]/.test(line))).toEqual([""]);
    expect(unfolded).toEqual(
      expect.arrayContaining([
        `SUMMARY:Massage\\nBEGIN:VALARM\\n${"é€😀".repeat(30)}\\, Corner "Books"\\nX:1\\; a=b`,
        "LOCATION:Ring Road\\; Accra\\, GH\\\\",
        'ORGANIZER;CN="Corner Books X:1; a=b":mailto:shop@duka.example',
      ]),
    );
    expect(unfolded.filter((line) => line.startsWith("BEGIN:"))).toHaveLength(2);
  });
});
