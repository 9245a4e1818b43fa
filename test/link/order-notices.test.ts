import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openMessage, type SealedMessage } from "../../functions/runtime/message-queue.ts";
import { runtime } from "../../functions/runtime/runtime.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { openDb } from "../../shared/database/index.ts";
import { createMeter, sha256 } from "../../shared/kernel/index.ts";
import {
  enrollWithOrder,
  linkSessionRepo,
  logIn,
  type Notice,
  type OrderLinkContext,
} from "../../shared/link/index.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { Crash, crashAtEffect } from "../support/faults.ts";
import { createBusiness } from "../support/world.ts";
import { createLiveCaller, uniquePhone } from "./create-logins.ts";
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
  const sent: SealedMessage[] = [];
  vi.spyOn(env.MESSAGES, "send").mockImplementation(async (message) => {
    sent.push(message);
    return { metadata: { metrics: { backlogBytes: 0, backlogCount: 0 } } };
  });
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
  return Promise.all(sent.map((message) => openMessage(message, settingsOf(env))));
}

describe("notify_on_order", () => {
  it("sends the owner one message about a linked order", async () => {
    expect(await linkAndReadMessages()).toEqual([
      {
        id: expect.stringMatching(/^link-/),
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

/** Enrols with the order's token and without a session, unless the account has logged in. */
async function enrollByToken(overrides: Partial<OrderLinkContext>) {
  return enrollWithOrder(
    { ...createContextWithCrash(shop, (effect) => effect()), ...overrides },
    {
      orderId: sale.id,
      tokenHash: await sha256(sale.token),
      session: null,
      address: null,
      mobileMoney: null,
      orderType: null,
    },
  );
}

const openCore = () => openDb(env.CORE, createMeter());

const logInAtLink = () =>
  logIn(
    { ...runtime, db: openCore() },
    {
      contact: { type: "phone", value: contact },
      mode: "live",
      holder: null,
      device: null,
      country: null,
    },
  );

describe("the notice of a linked order", () => {
  const notices: Notice[] = [];
  const notify: OrderLinkContext["notify"] = async (_contacts, notice) => {
    notices.push(notice);
  };

  beforeEach(() => {
    notices.length = 0;
  });

  it("is not sent to a contact that nobody has verified", async () => {
    await enrollByToken({ notify });
    expect(notices).toEqual([]);
  });

  it("tells the owner of an order that another holder of its token links", async () => {
    await logInAtLink();
    await enrollByToken({ notify });
    expect(notices).toHaveLength(1);
  });

  it("has the same id when it is sent again after a crash", async () => {
    const { sessionId, account } = await logInAtLink();
    const session = await linkSessionRepo(openCore()).findActive(
      { sessionId, accountId: account.id },
      Date.now(),
    );
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
