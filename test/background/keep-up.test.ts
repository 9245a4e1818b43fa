import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import type { QueuedJob } from "../../functions/background/queued-job.ts";
import { minute } from "../../shared/kernel/index.ts";
import { copyUnpaidOrder } from "../support/copy-unpaid-order.ts";
import { readStockQuantities } from "../support/create-order.ts";
import { runCron, runQueuedJobs } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  countOrders,
  createUnpaidShop,
  stubPaystack,
  type UnpaidShop,
} from "./create-unpaid-orders.ts";

/** Far enough ahead that no alarm fires by itself. */
const start = Date.parse("2031-03-04T05:00:00Z");
/** 20 a second. */
const ordersPerMinute = 1_200;

let unpaid: UnpaidShop;
let info: MockInstance<(text: string) => void>;

beforeEach(async () => {
  vi.setSystemTime(start);
  unpaid = await createUnpaidShop();
  stubPaystack();
  info = vi.spyOn(console, "info").mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  info.mockRestore();
});

/** Runs cron's messages for a job on the shop's shard and what they send; returns the logged runs. */
async function runJob(name: string): Promise<Record<string, unknown>[]> {
  info.mockClear();
  const { shard } = unpaid.shop.business;
  const isWanted = ({ job, shard: where }: QueuedJob) => job === name && where === shard;
  const bindings = { ...env, REQUEST_LOG: "on" };
  await runQueuedJobs((await runCron(bindings)).filter(isWanted), bindings);
  return info.mock.calls
    .map(([line]) => JSON.parse(line))
    .filter(({ what, job }) => what === "job" && job === name);
}

const expireMinutes = (first: number, minutes: number, expiresAt: number) =>
  copyUnpaidOrder(unpaid.shop, unpaid.sale.id, {
    first: first * ordersPerMinute,
    count: minutes * ordersPerMinute,
    expiresAt,
  });

describe("unpaid orders at 20 a second", () => {
  it("leave no backlog at any minute, and a backlog of five minutes is drained at once", async () => {
    for (const round of [1, 2]) {
      vi.setSystemTime(start + round * minute);
      await expireMinutes(round - 1, 1, Date.now() - minute / 2);
      const runs = await runJob("expire-orders");
      expect(runs[0]).toMatchObject({ shard: unpaid.shop.business.shard, chain: 0 });
      expect(Number(runs[0]?.oldest_due_ms)).toBeGreaterThanOrEqual(minute / 2);
      expect(await countOrders(unpaid.shop)).toEqual({
        pending: 1,
        cancelled: round * ordersPerMinute,
      });
      expect(await runJob("expire-orders")).toMatchObject([{ oldest_due_ms: 0, processed: 0 }]);
    }
    vi.setSystemTime(start + 7 * minute);
    await expireMinutes(2, 5, Date.now() - 5 * minute);
    const runs = await runJob("expire-orders");
    expect(new Set(runs.map(({ chain }) => chain)).size).toBeGreaterThan(1);
    expect(runs.reduce((sum, { processed }) => sum + Number(processed), 0)).toBe(
      5 * ordersPerMinute,
    );
    expect(await countOrders(unpaid.shop)).toEqual({ pending: 1, cancelled: 7 * ordersPerMinute });
    const [onHand, reserved] = await readStockQuantities(unpaid.shop, unpaid.product.id);
    expect([onHand, reserved]).toEqual([100 + 2 * 7 * ordersPerMinute, 2]);
    const events = await selectRows(
      unpaid.shop,
      "select count(*) as count from events where type = 'order.cancelled' and business_id = ?",
      unpaid.shop.business.id,
    );
    expect(events).toEqual([{ count: 7 * ordersPerMinute }]);
  });
});

describe("confirmed orders at 20 a second", () => {
  it("are counted in the same minute, also after five minutes without a run", async () => {
    await expireMinutes(0, 5, start + 60 * minute);
    await selectRows(unpaid.shop, "update orders set status = 'confirmed', expires_at = null");
    vi.setSystemTime(start + 5 * minute);
    const [run] = await runJob("count-sales");
    expect(run).toMatchObject({ processed: 5 * ordersPerMinute + 1, has_more: false });
    expect(await runJob("count-sales")).toMatchObject([{ oldest_due_ms: 0, processed: 0 }]);
    const [product] = await selectRows(
      unpaid.shop,
      "select popularity from products where id = ?",
      unpaid.product.id,
    );
    expect(product).toEqual({ popularity: 2 * (5 * ordersPerMinute + 1) });
  });

  it("lose their network's digest after an hour", async () => {
    await expireMinutes(0, 1, start + 2 * 60 * minute);
    await selectRows(unpaid.shop, "update orders set address_digest = 'digest'");
    vi.setSystemTime(start + 61 * minute);
    await runJob("purge-holds");
    expect(
      await selectRows(unpaid.shop, "select id from orders where address_digest is not null"),
    ).toEqual([]);
  });
});
