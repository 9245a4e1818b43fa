import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { messageLinks } from "../../functions/background/message-links.ts";
import { findWithHostnames } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness, type TestBusiness } from "../support/world.ts";
import { deliverMessages, stubMessageProviders } from "./create-messages.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

let count = 0;

/** Stores a domain of the business; the first one that is added has the first id. */
async function addDomain({ business }: TestBusiness, hostname: string, verifiedAt: number | null) {
  count += 1;
  const id = `dom_${String(count).padStart(26, "0")}`;
  await env.CORE.prepare(
    "insert into business_domains (id, business_id, hostname, verified_at, created_at) values (?, ?, ?, ?, 1)",
  )
    .bind(id, business.id, hostname, verifiedAt)
    .run();
}

const removeDomain = (hostname: string) =>
  env.CORE.prepare("delete from business_domains where hostname = ?").bind(hostname).run();

describe("links in messages", () => {
  const settings = { sessionSecret: "s".repeat(32) };
  const order = { businessId: "biz_1", orderId: "ord_2" };

  async function linksOf(publicUrl: string | undefined, hostname: string | null) {
    const links = messageLinks({ ...settings, publicUrl }, hostname);
    const tokens = await Promise.all([
      links.order({ ...order, sentAt: 1 }),
      links.payment({ ...order, expiresAt: 1 }),
      links.unsubscribe({ businessId: "biz_1", messageId: "msg_3" }),
    ]);
    const all = [...tokens, links.support({ slug: "tea" }), links.console("/biz_1")];
    return all.map((link) => link?.replace(/\w+-\w+(?:-\w+)*-[0-9a-f]{32}$/, "…") ?? null);
  }

  it.each([
    [
      "a domain of the business",
      "https://duka.example",
      "tea.example.org",
      ["https://tea.example.org/orders/ord_2?token=…", "https://tea.example.org/pay/…"],
      ["https://tea.example.org/messages/unsubscribe/…", "https://tea.example.org/support"],
      "https://duka.example/console/biz_1",
    ],
    [
      "the deployment's address",
      "https://duka.example",
      null,
      ["https://duka.example/orders/ord_2?token=…", "https://duka.example/pay/…"],
      ["https://duka.example/messages/unsubscribe/…", "https://duka.example/shop/tea/support"],
      "https://duka.example/console/biz_1",
    ],
    ["no address", undefined, null, [null, null], [null, null], null],
  ])("name %s", async (_, publicUrl, hostname, orderLinks, otherLinks, consoleLink) => {
    const expected = [...orderLinks, ...otherLinks, consoleLink];
    expect(await linksOf(publicUrl, hostname)).toEqual(expected);
  });

  it("name the verified domain that was added first, and PUBLIC_URL after its removal", async () => {
    const { emails } = stubMessageProviders();
    const [shop, other] = [await createBusiness(), await createBusiness()];
    await addDomain(shop, "pending.example.org", null);
    await addDomain(other, "other.example.org", 1);
    const { id } = await createProduct(shop);
    const customer = { name: "Ama", email: "ama@example.com" };

    async function linkInNextMessage(): Promise<string | undefined> {
      emails.length = 0;
      await createOrder(shop, id, { fields: { customer } });
      await deliverMessages(shop);
      return /(https:\S+)\/orders\//.exec(emails[0]?.text ?? "")?.[1];
    }

    expect(await linkInNextMessage()).toBe("https://duka.example");
    await addDomain(shop, "first.example.org", 2);
    await addDomain(shop, "second.example.org", 1);
    expect(await linkInNextMessage()).toBe("https://first.example.org");
    await removeDomain("first.example.org");
    expect(await linkInNextMessage()).toBe("https://second.example.org");
    await removeDomain("second.example.org");
    expect(await linkInNextMessage()).toBe("https://duka.example");
  });

  it("take no round trip more than the businesses themselves", async () => {
    const [shop, other] = [await createBusiness(), await createBusiness()];
    await addDomain(shop, "trips.example.org", 1);
    const meter = createMeter();
    const ids = [shop.business.id, other.business.id, "biz_unknown"];
    const found = await findWithHostnames(openDb(env.CORE, meter), ids);
    expect(meter.d1).toBe(1);
    expect(found.get(shop.business.id)).toMatchObject({ hostname: "trips.example.org" });
    expect(found.get(other.business.id)).toMatchObject({ hostname: null });
    expect(found.size).toBe(2);
  });
});
