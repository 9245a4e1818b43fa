import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createCustomer, phoneContact } from "../support/create-customer.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import {
  agentProfile,
  createAgentSession,
  failToken,
  refusalOf,
  requestFor,
  sessionOf,
  successToken,
} from "./create-agent-session.ts";

let shop: CreatedBusiness;
let tea: string;

beforeAll(async () => {
  shop = await createBusiness();
  const product = await createProduct(shop, { defaultPriceMinor: 1_000, inventoryType: "tracked" });
  await setStock(shop, product, 1_000);
  tea = product.id;
});

const ordersOf = (sessionId: string) =>
  selectRows(
    shop,
    "select id, status, payment_status, total_price_minor from orders where session_id = ?",
    sessionId,
  );

describe("an agent's checkout", () => {
  it("is created ready, completed once, and read with its order", async () => {
    const agent = createAgentSession(shop);
    const created = await sessionOf(agent.create(requestFor({ [tea]: 2 })));
    expect(created).toMatchObject({
      status: "ready_for_complete",
      problems: [],
      price: { totalPriceMinor: 2_000 },
      order: null,
    });
    const completed = await sessionOf(agent.complete(successToken));
    expect(completed).toMatchObject({
      status: "completed",
      order: { paymentStatus: "captured" },
      price: { totalPriceMinor: 2_000 },
      cart: { lines: [{ quantity: 2 }] },
    });
    const again = await sessionOf(agent.complete(successToken));
    expect(again.order).toEqual(completed.order);
    expect(await sessionOf(agent.get())).toEqual(completed);
    expect(await ordersOf(agent.sessionId)).toMatchObject([
      { id: completed.order?.id, total_price_minor: 2_000 },
    ]);
    const audit = await selectRows(
      shop,
      "select distinct actor from audit_entries where business_id = ? and actor like 'agent:%'",
      shop.business.id,
    );
    expect(audit).toEqual([{ actor: `agent:${agentProfile}` }]);
  });

  it("is ready again after a declined payment, and charges the same order", async () => {
    const agent = createAgentSession(shop);
    await sessionOf(agent.create(requestFor({ [tea]: 1 })));
    const declined = await sessionOf(agent.complete(failToken));
    expect(declined).toMatchObject({
      status: "ready_for_complete",
      order: null,
      problems: [{ code: "payment_failed", severity: "recoverable", isBlocking: false }],
    });
    const completed = await sessionOf(agent.complete(successToken));
    expect(completed).toMatchObject({ status: "completed", problems: [] });
    expect(await ordersOf(agent.sessionId)).toHaveLength(1);
  });

  it("gives the order to the buyer who was linked after a guest's payment was declined", async () => {
    const { id: customerId } = await createCustomer(shop, phoneContact("+233241234567"));
    const agent = createAgentSession(shop);
    await sessionOf(agent.create(requestFor({ [tea]: 1 })));
    await sessionOf(agent.complete(failToken));
    const buyer = { customerId, loggedInAt: Date.now() };
    const { order } = await sessionOf(agent.complete(successToken, { buyer }));
    const active = await selectRows(
      shop,
      "select id, customer_id from orders where session_id = ? and status <> 'cancelled'",
      agent.sessionId,
    );
    expect(active).toEqual([{ id: order?.id, customer_id: customerId }]);
  });

  it("refuses changes once it has an order", async () => {
    const agent = createAgentSession(shop);
    await sessionOf(agent.create(requestFor({ [tea]: 1 })));
    await sessionOf(agent.complete(successToken));
    const closed = { context: { rule: "AGENT_SESSION_CLOSED" } };
    expect(await refusalOf(agent.replace(requestFor({ [tea]: 2 })))).toMatchObject(closed);
    expect(await refusalOf(agent.cancel())).toMatchObject(closed);
  });
});
