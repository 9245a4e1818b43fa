import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { withFailureContext } from "../checkout/faults/fault-table.ts";
import { createFaultyDatabase, type DatabaseFault } from "../checkout/faults/faulty-database.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import {
  createAgentSession,
  failToken,
  requestFor,
  successToken,
  type TestAgentSession,
} from "./create-agent-session.ts";

const start = Date.parse("2030-05-01T12:00:00Z");

export const faultKinds = (["before", "after"] as const).flatMap((when) =>
  (["answer lost", "object dies"] as const).map((how) => ({ when, how })),
);

type Sale = Readonly<{ shop: CreatedBusiness; tea: string; agent: TestAgentSession }>;

async function createSale(shop: CreatedBusiness): Promise<Sale> {
  vi.setSystemTime(start);
  const product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 50);
  const agent = createAgentSession(shop);
  await agent.create(requestFor({ [product.id]: 2 }));
  return { shop, tea: product.id, agent };
}

/** Makes the object's shard fail once, until it is mended or the object dies. */
const breakShop = ({ agent }: Sale, fault: DatabaseFault) =>
  runInDurableObject(agent.object(), (instance, state) => {
    const die = () => state.abort("The object died.");
    const faulty = createFaultyDatabase({ fault, die, store: () => state.storage.sync() });
    const shards = { SHOP_1: faulty.wrap(env.SHOP_1), SHOP_2: faulty.wrap(env.SHOP_2) };
    Object.assign(instance, { env: { ...env, ...shards } });
    return faulty;
  });

const mendShop = ({ agent }: Sale) =>
  runInDurableObject(agent.object(), (instance) => {
    Object.assign(instance, { env });
  });

async function ringAlarm({ agent }: Sale): Promise<void> {
  vi.setSystemTime(Date.now() + minute);
  await runDurableObjectAlarm(agent.object());
}

async function expectOneSale({ shop, tea, agent }: Sale): Promise<void> {
  const ordersOf = "select id from orders where session_id = ?";
  const [orders, charges, stock, events, agents] = await Promise.all([
    selectRows(
      shop,
      "select payment_status from orders where session_id = ? and status <> 'cancelled'",
      agent.sessionId,
    ),
    selectRows(
      shop,
      `select status from sandbox_charges where status = 'captured' and order_id in (${ordersOf})`,
      agent.sessionId,
    ),
    selectRows(shop, "select quantity_reserved from stock_levels where item_id = ?", tea),
    selectRows(
      shop,
      `select type from events where type = 'payment.completed'
         and data ->> '$.order_id' in (${ordersOf})`,
      agent.sessionId,
    ),
    selectRows(
      shop,
      `select order_id from agent_orders where order_id in (${ordersOf})`,
      agent.sessionId,
    ),
  ]);
  expect(orders).toEqual([{ payment_status: "captured" }]);
  expect(charges).toHaveLength(1);
  expect(stock).toEqual([{ quantity_reserved: 2 }]);
  expect(events).toHaveLength(1);
  expect(agents).toHaveLength(1);
}

/** Completes until the response is a session, as a platform that repeats a lost request. */
async function completeAgain(sale: Sale): Promise<void> {
  for (let tries = 1; tries <= 6; tries += 1) {
    const { outcome } = await sale.agent.complete(successToken);
    if (outcome.ok && outcome.value.status === "completed") return;
    await ringAlarm(sale);
  }
  throw new Error("The checkout was not completed in six tries.");
}

/** Without the token the resumed charge is made on a page, which the buyer has to open. */
export async function resumeByAlarm(sale: Sale): Promise<void> {
  await ringAlarm(sale);
  await ringAlarm(sale);
  const { outcome } = await sale.agent.get();
  const status = outcome.ok ? outcome.value.status : outcome.refusal.code;
  expect(["ready_for_complete", "requires_escalation", "completed"]).toContain(status);
  const charges = await selectRows(
    sale.shop,
    `select order_id from sandbox_charges where status = 'captured'
       and order_id in (select id from orders where session_id = ?)`,
    sale.agent.sessionId,
  );
  expect(charges).toHaveLength(status === "completed" ? 1 : 0);
}

/** Fails each round trip of a completion in turn, each in a sale of its own. */
export async function failEachRoundTrip(
  kind: Omit<DatabaseFault, "at">,
  { prepare, recover }: Record<"prepare" | "recover", (sale: Sale) => Promise<void>>,
): Promise<number> {
  vi.setSystemTime(start);
  const shop = await createBusiness();
  for (let at = 1; ; at += 1) {
    const sale = await createSale(shop);
    await prepare(sale);
    const faulty = await breakShop(sale, { ...kind, at });
    await sale.agent.complete(successToken).catch(() => null);
    if (faulty.count() < at) return at - 1;
    if (kind.how === "answer lost") await mendShop(sale);
    await withFailureContext(`round trip ${at}`, () => recover(sale));
  }
}

export const doNothing = async () => {};
export const declinePayment = async ({ agent }: Sale) => {
  await agent.complete(failToken);
};
export const sellOnce = async (sale: Sale) => {
  await completeAgain(sale);
  await expectOneSale(sale);
  await completeAgain(sale);
  await expectOneSale(sale);
};
