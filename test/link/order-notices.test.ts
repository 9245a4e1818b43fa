import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createBackground } from "../../functions/background/context.ts";
import { assignLinkedOrders } from "../../functions/background/jobs/assign-linked-orders.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import {
  enrollWithOrder,
  linkSessionRepo,
  type Notice,
  type OrderLinkContext,
} from "../../shared/link/index.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { Crash, crashAtEffect } from "../support/faults.ts";
import { listWaitingMessages } from "../support/sealed-messages.ts";
import { createBusiness } from "../support/world.ts";
import { callLink, createLiveCaller, logInLive, uniquePhone } from "./create-logins.ts";
import { createContextWithCrash } from "./create-order-enrolment.ts";

let shop: CreatedBusiness;
let contact: string;
let sale: PlacedOrder;

beforeEach(async () => {
  shop = await createBusiness({ mode: "live", name: "Corner\nBooks" });
  contact = uniquePhone();
  sale = await createOrder(shop, (await createProduct(shop)).id, {
    payWith: "cash",
    fields: { customer: { phone: contact } },
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const body = (withToken = false) => ({
  order_id: sale.id,
  business_id: shop.business.id,
  ...(withToken && { bill_token: sale.token }),
});

/** Links the order through the API, and returns the messages that were queued. */
async function linkAndReadMessages(preferences: object | null = null) {
  const ask = await createLiveCaller(contact);
  if (preferences) {
    await env.CORE.prepare(
      `update link_accounts set enrolled_at = 1 where id =
        (select account_id from link_contacts where mode = 'live' and value = ?)`,
    )
      .bind(contact)
      .run();
    const stored = await ask("POST", "/preferences", { body: preferences });
    expect(stored).toMatchObject({ status: 200 });
  }
  for (const _ of ["first", "repeat"]) {
    const answer = await ask("POST", "/enroll-and-link-order", { body: body() });
    expect(answer).toMatchObject({ status: 200 });
  }
  const waiting = await listWaitingMessages();
  return waiting.filter((message) => message.type === "notice" && message.to === contact);
}

describe("notify_on_order", () => {
  it("sends the owner one message about a linked order", async () => {
    expect(await linkAndReadMessages()).toEqual([
      {
        id: expect.stringMatching(/^link-/),
        ...{ type: "notice", sender: "Link", subject: expect.any(String) },
        channel: "sms",
        to: contact,
        text: `Your order ${sale.number} at Corner Books is now in your Link account.`,
        expiresAt: expect.any(Number),
      },
    ]);
  });

  it("sends nothing when it is false", async () => {
    expect(await linkAndReadMessages({ notify_on_order: false })).toEqual([]);
  });
});

/** Requests the link with the order's token and without a session, and runs the job. */
async function linkByToken(notify: OrderLinkContext["notify"]) {
  const linked = await callLink("POST", "/enroll-and-link-order", { body: body(true) });
  expect(linked).toMatchObject({ status: 200 });
  const background = createBackground(env);
  await assignLinkedOrders({ ...background, messages: { ...background.messages, notify } });
}

const logInAtLink = () => logInLive(contact);

describe("the notice of a linked order", () => {
  const notices: Notice[] = [];
  const notify: OrderLinkContext["notify"] = async (_contacts, notice) => {
    notices.push(notice);
  };

  beforeEach(() => {
    notices.length = 0;
  });

  it("is not sent to a contact that nobody has verified", async () => {
    await linkByToken(notify);
    expect(notices).toEqual([]);
  });

  it("tells the owner of an order that another holder of its token links", async () => {
    await logInAtLink();
    await linkByToken(notify);
    await linkByToken(notify);
    expect(notices).toHaveLength(1);
  });

  it("has the same id when it is sent again after a crash", async () => {
    const { sessionId, account } = await logInAtLink();
    const session = await linkSessionRepo(openDb(env.CORE, createMeter())).findActive(
      { sessionId, accountId: account.id },
      Date.now(),
    );
    if (!session) throw new Error("The session has ended.");
    const attempt = (context: OrderLinkContext) =>
      enrollWithOrder(
        { ...context, notify },
        {
          orderId: sale.id,
          tokenHash: null,
          session,
          address: null,
          mobileMoney: null,
          orderType: null,
        },
      );
    await expect(
      attempt(createContextWithCrash(shop, crashAtEffect(4, "before"))),
    ).rejects.toBeInstanceOf(Crash);
    await attempt(createContextWithCrash(shop, (effect) => effect()));
    expect(notices).toHaveLength(2);
    expect(new Set(notices.map(({ id }) => id)).size).toBe(1);
  });
});
