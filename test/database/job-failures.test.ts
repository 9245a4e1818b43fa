import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createMeter, jobFailureRepo, openDb } from "../../shared/database/index.ts";
import { hour, minute } from "../../shared/kernel/index.ts";
import { firstRefundRetryMs, maxRefundRetryMs } from "../../shared/payments/refunds/refund.ts";

const repo = jobFailureRepo(openDb(env.CORE, createMeter()));
const start = Date.parse("2031-05-06T05:00:00Z");
const recordNamed = (record: string) => ({ job: "settle-refunds", shard: "SHOP_1", record });

async function listFailing(record: string, now: number) {
  const rows = await repo.listFailing({ now, limit: 100 });
  return rows
    .filter((row) => row.record === record)
    .map(({ failures, firstFailedAt }) => ({ failures, after: firstFailedAt - start }));
}

it("lists a refund that keeps failing until its next attempt, however late that is", async () => {
  const failed = recordNamed("rfd_1");
  let now = start;
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await repo.save([failed], now);
    now += Math.min(maxRefundRetryMs, firstRefundRetryMs * 2 ** attempt);
    if (attempt < 2) continue;
    const listed = await listFailing(failed.record, now);
    expect(listed, `before attempt ${attempt + 2}`).toEqual([{ failures: attempt + 1, after: 0 }]);
  }
});

it("does not add up failures of a record that succeeded in between", async () => {
  const failed = recordNamed("rfd_2");
  for (const hours of [0, 20, 40]) {
    await repo.save([failed], start + hours * hour);
    expect(await listFailing(failed.record, start + hours * hour)).toEqual([]);
  }
  for (const minutes of [1, 2]) await repo.save([failed], start + 40 * hour + minutes * minute);
  expect(await listFailing(failed.record, start + 41 * hour)).toEqual([
    { failures: 3, after: 40 * hour },
  ]);
});
