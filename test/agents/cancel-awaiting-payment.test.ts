import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import {
  createAgentSession,
  refusalOf,
  requestFor,
  sessionOf,
  successToken,
} from "./create-agent-session.ts";

let shop: CreatedBusiness;
let tea: string;

beforeAll(async () => {
  shop = await createBusiness();
  const product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 10);
  tea = product.id;
});

const selectOrder = async (id: string | undefined) => {
  const [order] = await selectRows(
    shop,
    `select orders.status, orders.payment_status, stock_levels.quantity_reserved as reserved
     from orders, stock_levels where orders.id = ? and stock_levels.item_id = ?`,
    ...[id, tea],
  );
  return order;
};

const setCharge = (orderId: string | undefined, status: string) =>
  selectRows(
    shop,
    "update sandbox_charges set status = ? where order_id = ? returning 1",
    ...[status, orderId],
  );

describe("cancelling while the payer may confirm the payment", () => {
  /** `lastDigit` decides what the sandbox does with the account. */
  async function createAwaiting(lastDigit: number) {
    const agent = createAgentSession(shop);
    await sessionOf(agent.create(requestFor({ [tea]: 2 })));
    const phoneNumber = `024123456${lastDigit}`;
    const awaiting = await sessionOf(
      agent.complete({ method: "mobile_money", phoneNumber, provider: "mtn" }),
    );
    expect(await selectOrder(awaiting.order?.id)).toMatchObject({ status: "pending" });
    return { agent, awaiting, orderId: awaiting.order?.id };
  }

  it.each([
    [2, "on the phone", "complete_in_progress"],
    [1, "with a code", "requires_escalation"],
  ])("cancels the order of an account %i, which is confirmed %s", async (digit, _, status) => {
    const { agent, awaiting, orderId } = await createAwaiting(digit);
    expect(awaiting.status).toBe(status);
    const before = Number((await selectOrder(orderId))?.reserved);
    const canceled = await sessionOf(agent.cancel());
    expect(canceled).toMatchObject({
      ...{ status: "canceled", order: null },
      cart: { lines: [{ quantity: 2 }] },
      price: { totalPriceMinor: 2_000 },
    });
    expect(await selectOrder(orderId)).toMatchObject({ status: "cancelled", reserved: before - 2 });
    expect(await refusalOf(agent.complete(successToken))).toMatchObject({
      context: { rule: "AGENT_SESSION_CLOSED" },
    });
    // Money that arrives for a cancelled order is refunded, and the checkout stays canceled.
    await setCharge(orderId, "captured");
    await selectRows(
      shop,
      "update payments set status = 'captured' where order_id = ? returning 1",
      orderId,
    );
    expect(await sessionOf(agent.get())).toMatchObject({ status: "canceled", order: null });
  });

  it("is refused when the payer has confirmed meanwhile", async () => {
    const { agent, orderId } = await createAwaiting(2);
    await setCharge(orderId, "captured");
    expect(await refusalOf(agent.cancel())).toMatchObject({
      context: { rule: "AGENT_SESSION_CLOSED" },
    });
    expect(await sessionOf(agent.get())).toMatchObject({
      ...{ status: "completed", order: { id: orderId, paymentStatus: "captured" } },
    });
    expect(await selectOrder(orderId)).toMatchObject({ payment_status: "captured" });
  });
});
