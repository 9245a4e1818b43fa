import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { hour } from "../../shared/kernel/index.ts";
import { issueCode } from "../../shared/one-time-codes/index.ts";
import {
  createCodeFixture,
  network,
  phone,
  withoutMessage,
} from "../one-time-codes/create-code.ts";
import { createBackgroundWorker } from "./create-background-worker.ts";

describe("purging one-time codes", () => {
  it.each([
    ["a shard", () => env.SHOP_2],
    ["CORE", () => env.CORE],
  ])("deletes only outdated codes of %s", async (_name, database) => {
    const old = createCodeFixture({ database: database() });
    await issueCode(
      { ...old.ctx, now: () => Date.now() - hour },
      withoutMessage({ contact: phone, network }),
    );
    const fresh = createCodeFixture({ database: database() });
    await issueCode({ ...fresh.ctx, now: Date.now }, withoutMessage({ contact: phone, network }));
    await createBackgroundWorker().cron();
    const { results } = await database()
      .prepare("select audience from one_time_codes where audience in (?, ?)")
      .bind(old.ctx.audience.id, fresh.ctx.audience.id)
      .all();
    expect(results).toEqual([{ audience: fresh.ctx.audience.id }]);
  });
});
