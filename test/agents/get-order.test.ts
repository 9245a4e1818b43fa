import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { LinkedBuyer } from "../../functions/agents/agent-call.ts";
import { createAgentApp } from "../../functions/agents/agents-app.ts";
import type { AgentsBindings } from "../../functions/agents/env.ts";
import { openHttpCall } from "../../functions/agents/open-call.ts";
import { getOrder } from "../../functions/agents/operations/get-order.ts";
import { parseOrderLinkToken } from "../../functions/runtime/order-links.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import { type Release, releases } from "../../shared/agents/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day, hour } from "../../shared/kernel/index.ts";
import { createAgentOrder } from "../support/create-agent-order.ts";
import { createCustomer, phoneContact } from "../support/create-customer.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import { createPlatform, hostProfiles, type TestPlatform } from "./platform.ts";
import { assertValid } from "./validator.ts";

hostProfiles();

const origin = "https://duka.example";

let shop: CreatedBusiness;
let product: Product;
let platform: TestPlatform;
let buyer: LinkedBuyer | null;
let roundTrips: number;

beforeEach(async () => {
  shop = await createBusiness();
  product = await createProduct(shop, { name: "Tea" });
  platform = await createPlatform();
  buyer = null;
});

/** An app with the operation, whose calls have the buyer that a test sets. */
const app = createAgentApp();
app.get("/agents/:slug/ucp/orders/:id", async (c) => {
  const opened = await openHttpCall(c);
  const before = opened.call.meter.d1;
  const answer = await getOrder({ ...opened.call, buyer }, { id: c.req.param("id") });
  roundTrips = opened.call.meter.d1 - before;
  return c.json(answer.body, answer.status);
});

type ReadOptions = Readonly<{ by?: TestPlatform; isSigned?: boolean; at?: CreatedBusiness }>;

async function readOrder(
  id: string,
  { by = platform, isSigned = true, at = shop }: ReadOptions = {},
) {
  const url = `${origin}/agents/${at.business.slug}/ucp/orders/${id}`;
  const headers = isSigned ? await by.sign({ method: "GET", url }) : by.headers;
  // Safe: the tests' bindings have what a call needs; no test reaches another Worker.
  const bindings = env as unknown as AgentsBindings;
  const response = await app.fetch(
    new Request(url, { headers }),
    bindings,
    createExecutionContext(),
  );
  return { status: response.status, body: Object(await response.json()) };
}

const placeOrder = (by = platform, release?: Release) =>
  createAgentOrder(shop, product.id, {
    agent: { profileUrl: by.profileUrl },
    ...(release && { release }),
  });

const notFound = {
  status: 200,
  body: {
    ucp: { status: "error" },
    messages: [{ type: "error", code: "not_found", severity: "unrecoverable" }],
  },
};

describe("get_order", () => {
  it.each(releases)(
    "shows a platform the order of its agent in the release %s",
    async (release) => {
      platform = await createPlatform({ release });
      const id = await placeOrder(platform, release);
      const { status, body } = await readOrder(id);
      expect(status).toBe(200);
      await assertValid(release, "order", body);
      expect(body).toMatchObject({
        ucp: {
          version: release,
          capabilities: { "dev.ucp.shopping.order": [{ version: release }] },
        },
        id,
        checkout_id: "chk_01jd0000000000000000000000",
        line_items: [{ quantity: { original: 2, total: 2, fulfilled: 0 }, status: "processing" }],
        adjustments: [],
      });
      expect(roundTrips).toBe(1);
    },
  );

  it("leads to the order's page", async () => {
    const id = await placeOrder();
    const { pathname, searchParams } = new URL((await readOrder(id)).body.permalink_url);
    expect(pathname).toBe(`/orders/${id}`);
    const link = await parseOrderLinkToken(settingsOf(env), searchParams.get("token") ?? "");
    expect(link).toMatchObject({ businessId: shop.business.id, orderId: id });
  });

  it.each([
    ["a request that is not signed", { isSigned: false }],
    ["an unknown order", { id: "ord_01jd0000000000000000000000" }],
    ["an id of another form", { id: "%00'--" }],
  ])("shows nothing for %s", async (_, { id, ...options }: { id?: string; isSigned?: boolean }) => {
    const placed = await placeOrder();
    const answer = await readOrder(id ?? placed, options);
    expect(answer).toMatchObject(notFound);
    await assertValid("2026-08-25", "error_response", answer.body);
  });

  it("shows no order of another platform, of another business or of a shopper", async () => {
    const id = await placeOrder();
    expect(await readOrder(id, { by: await createPlatform() })).toMatchObject(notFound);
    expect(await readOrder(id, { at: await createBusiness() })).toMatchObject(notFound);
    const { id: shoppers } = await createOrder(shop, product.id, { payWith: "cash" });
    expect(await readOrder(shoppers)).toMatchObject(notFound);
  });

  it("shows a linked buyer's orders to a platform that may read them, and no others", async () => {
    const customer = await createCustomer(shop, phoneContact("+233241234567"));
    const { id: own } = await createOrder(shop, product.id, { payWith: "cash" });
    const others = await placeOrder(await createPlatform());
    await selectRows(shop, "update orders set customer_id = ? where id = ?", customer.id, own);
    const linked = {
      ...{ customerId: customer.id, accountId: "acc_1", linkedAt: Date.now() },
      scopes: ["dev.ucp.shopping.order:read"],
    };
    buyer = linked;
    const { body } = await readOrder(own, { isSigned: false });
    await assertValid("2026-08-25", "order", body);
    expect(body.id).toBe(own);
    expect(roundTrips).toBe(2);
    expect(await readOrder(others, { isSigned: false })).toMatchObject(notFound);
    buyer = { ...linked, scopes: ["dev.ucp.shopping.checkout:manage"] };
    expect(await readOrder(own, { isSigned: false })).toMatchObject({ status: 403 });
    buyer = { ...linked, linkedAt: linked.linkedAt - day };
    await selectRows(
      shop,
      "update customers set sessions_ended_at = ? where id = ?",
      linked.linkedAt - hour,
      customer.id,
    );
    expect(await readOrder(own, { isSigned: false })).toMatchObject(notFound);
  });
});
