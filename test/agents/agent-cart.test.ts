import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createDeliveryMethod } from "../support/create-delivery.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { createBusiness, createBusinessOnSameShard, shopper } from "../support/world.ts";
import {
  accraAddress,
  createAgentSession,
  refusalOf,
  requestFor,
  sessionOf,
  shippingTo,
  successToken,
} from "./create-agent-session.ts";

let shop: CreatedBusiness;
let tea: string;
let cup: string;
let courier: string;

beforeAll(async () => {
  shop = await createBusiness();
  const product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 5);
  tea = product.id;
  cup = (await createProduct(shop, { name: "Cup", defaultPriceMinor: 300 })).id;
  courier = (await createDeliveryMethod(shop)).id;
  await createDeal(shop, { code: "TEN" });
});

const delivered = () => ({ fulfilment: shippingTo(courier) });

describe("an agent's cart", () => {
  it("becomes one checkout, however often it is converted", async () => {
    const agent = createAgentSession(shop);
    const cart = await sessionOf(agent.create(requestFor({ [cup]: 2 }), { stage: "cart" }));
    expect(cart).toMatchObject({ stage: "cart", problems: [], price: { totalPriceMinor: 600 } });
    expect(await refusalOf(agent.get())).toMatchObject({ code: "NOT_FOUND" });
    const checkout = await sessionOf(agent.start());
    expect(checkout).toMatchObject({ stage: "checkout", status: "incomplete" });
    expect(await sessionOf(agent.start())).toEqual(checkout);
    expect((await sessionOf(agent.get({ stage: "cart" }))).sessionId).toBe(agent.sessionId);
  });

  it("is gone once it is canceled", async () => {
    const agent = createAgentSession(shop);
    await sessionOf(agent.create(requestFor({ [cup]: 1 }), { stage: "cart" }));
    expect((await sessionOf(agent.cancel({ stage: "cart" }))).cart.lines).toHaveLength(1);
    const gone = { code: "NOT_FOUND" };
    expect(await refusalOf(agent.get({ stage: "cart" }))).toMatchObject(gone);
    expect(await refusalOf(agent.start())).toMatchObject(gone);
    expect(
      await refusalOf(agent.replace(requestFor({ [cup]: 2 }), { stage: "cart" })),
    ).toMatchObject(gone);
  });
});

describe("replacing an agent's record", () => {
  it("keeps the ids of lines, and leaves out what is not sent again", async () => {
    const agent = createAgentSession(shop);
    const before = await sessionOf(agent.create(requestFor({ [tea]: 1, [cup]: 1 }, delivered())));
    const after = await sessionOf(agent.replace(requestFor({ [cup]: 3 })));
    const [, line] = before.cart.lines;
    expect(after.cart.lines).toMatchObject([{ id: line?.id, quantity: 3 }]);
    expect(after).toMatchObject({ fulfilment: null, cart: { delivery: null } });
  });

  it("names the lines that exceed the stock, and keeps them", async () => {
    const agent = createAgentSession(shop);
    const session = await sessionOf(agent.create(requestFor({ [tea]: 9 }, delivered())));
    expect(session).toMatchObject({
      status: "incomplete",
      problems: [
        {
          code: "out_of_stock",
          severity: "recoverable",
          quantityAvailable: 5,
          subject: { part: "line", lineId: session.cart.lines[0]?.id, field: "quantity" },
        },
      ],
    });
    expect(await sessionOf(agent.complete(successToken))).toMatchObject({
      status: "incomplete",
      order: null,
    });
    expect(await sessionOf(agent.replace(requestFor({ [tea]: 5 }, delivered())))).toMatchObject({
      status: "ready_for_complete",
      problems: [],
    });
  });

  it("leaves out items that cannot be bought, and refuses a cart of nothing else", async () => {
    const agent = createAgentSession(shop);
    const session = await sessionOf(
      agent.create(requestFor({ [cup]: 1, var_unknown: 1 }, delivered())),
    );
    expect(session).toMatchObject({
      status: "ready_for_complete",
      problems: [{ code: "item_unavailable", subject: { part: "line_items" } }],
    });
    const none = createAgentSession(shop).create(requestFor({ prod_unknown: 1 }));
    expect(await refusalOf(none)).toMatchObject({ context: { rule: "ITEM_UNAVAILABLE" } });
  });

  it("applies codes, and says why another one gives nothing", async () => {
    const agent = createAgentSession(shop);
    const session = await sessionOf(
      agent.create(requestFor({ [cup]: 1 }, { ...delivered(), couponCodes: ["ten", "NONE"] })),
    );
    expect(session.coupons).toEqual([
      { code: "ten", rejection: null },
      { code: "NONE", rejection: "COUPON_INVALID" },
    ]);
    expect(session.price).toMatchObject({
      subtotalMinor: 300,
      discountTotalMinor: 30,
      deliveryTotalMinor: 500,
      totalPriceMinor: 770,
    });
  });

  it("asks for a destination, then an option, and refuses an address nobody delivers to", async () => {
    const agent = createAgentSession(shop);
    const created = await sessionOf(agent.create(requestFor({ [cup]: 1 })));
    expect(created.problems).toMatchObject([{ code: "missing_fulfilment" }]);
    const withAddress = await sessionOf(
      agent.replace(requestFor({ [cup]: 1 }, { fulfilment: shippingTo(null) })),
    );
    expect(withAddress).toMatchObject({
      status: "incomplete",
      deliveryOptions: [{ id: courier, priceMinor: 500 }],
      problems: [{ code: "missing_fulfilment" }],
    });
    const togo = { ...accraAddress, country: "TG" };
    expect(
      await sessionOf(
        agent.replace(requestFor({ [cup]: 1 }, { fulfilment: shippingTo(courier, togo) })),
      ),
    ).toMatchObject({
      problems: [
        { code: "address_undeliverable", subject: { part: "destination", destinationId: "home" } },
      ],
    });
    expect(await sessionOf(agent.replace(requestFor({ [cup]: 1 }, delivered())))).toMatchObject({
      status: "ready_for_complete",
      price: { totalPriceMinor: 800 },
    });
  });

  it("needs an e-mail address or a phone number that is valid", async () => {
    const agent = createAgentSession(shop);
    for (const email of [null, "nobody"]) {
      const buyer = { firstName: null, lastName: null, email, phone: null, consent: null };
      const request = requestFor({ [cup]: 1 }, { ...delivered(), buyer });
      const session = await sessionOf(createAgentSession(shop).create(request));
      expect(session).toMatchObject({
        status: "incomplete",
        problems: [{ code: "missing_contact" }],
      });
    }
    expect(await sessionOf(agent.create(requestFor({ [cup]: 1 }, delivered())))).toMatchObject({
      status: "ready_for_complete",
    });
  });
});

describe("an agent's session", () => {
  it("does not exist for another platform, another business or without an agent", async () => {
    const agent = createAgentSession(shop);
    await sessionOf(agent.create(requestFor({ [cup]: 1 })));
    const unknown = { code: "NOT_FOUND" };
    const profileUrl = "https://other.example/profile.json";
    expect(await refusalOf(agent.get({ profileUrl }))).toMatchObject(unknown);
    expect(await refusalOf(agent.complete(successToken, { profileUrl }))).toMatchObject(unknown);
    const other = await createBusinessOnSameShard(shop);
    const elsewhere = createAgentSession(other, agent.sessionId);
    expect(await refusalOf(elsewhere.get())).toMatchObject(unknown);
    expect(await elsewhere.continue()).toBeNull();
    expect(await refusalOf(createAgentSession(shop).get())).toMatchObject(unknown);
  });

  it("is not a session that a shopper's browser made", async () => {
    const added = await shopper(shop)("POST", "/cart/items", {
      body: { item_id: cup, quantity: 1 },
    });
    const token = /^[^=]+=([^;]+)/.exec(added.headers.get("set-cookie") ?? "")?.[1] ?? "";
    const payload = token.split(".")[1] ?? "";
    const id = String(JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).sub);
    const agent = createAgentSession(shop, id);
    expect(await refusalOf(agent.get())).toMatchObject({ code: "NOT_FOUND" });
    expect(await refusalOf(agent.create(requestFor({ [cup]: 2 })))).toMatchObject({
      code: "CONFLICT",
    });
    expect(await agent.continue()).toBeNull();
  });

  it("responds the same to a repeated key, and refuses the key with another body", async () => {
    const agent = createAgentSession(shop);
    const idempotent = { route: "agent replaceAgentCart", key: "one", fingerprint: "a" };
    const first = await agent.create(requestFor({ [cup]: 1 }), { idempotent });
    const again = await agent.create(requestFor({ [cup]: 1 }), { idempotent });
    expect(again).toMatchObject({ isReplay: true, outcome: first.outcome, d1: 0 });
    const other = agent.create(requestFor({ [cup]: 2 }), {
      idempotent: { ...idempotent, fingerprint: "b" },
    });
    expect(await refusalOf(other)).toMatchObject({ code: "CONFLICT" });
  });

  it("takes one round trip to create and to replace while the catalogue is cached", async () => {
    const request = requestFor({ [tea]: 1, [cup]: 1 }, delivered());
    await createAgentSession(shop).create(request);
    const agent = createAgentSession(shop);
    expect((await agent.create(request)).d1).toBeLessThanOrEqual(1);
    expect((await agent.replace(request)).d1).toBeLessThanOrEqual(1);
    expect((await agent.get()).d1).toBe(0);
    expect((await agent.complete(successToken)).d1).toBeLessThanOrEqual(3);
    expect((await agent.get()).d1).toBe(0);
  });
});
