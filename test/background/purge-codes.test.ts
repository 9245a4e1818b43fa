import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { issueCode } from "../../shared/one-time-codes/index.ts";
import { givenCodes, phone } from "../one-time-codes/given.ts";
import { givenBackground } from "./queue.ts";

const hour = 3_600_000;
const address = "203.0.113.7";

describe("one-time codes that are too old to count", () => {
  it.each([
    ["a shop's database", () => env.SHOP_2],
    ["CORE", () => env.CORE],
  ])("are gone from %s after the minute's tick, and no others", async (_place, place) => {
    const old = givenCodes({ database: place() });
    await issueCode({ ...old.ctx, now: () => Date.now() - hour }, { contact: phone, address });
    const fresh = givenCodes({ database: place() });
    await issueCode({ ...fresh.ctx, now: Date.now }, { contact: phone, address });
    await givenBackground().cron();
    const { results } = await place()
      .prepare("select audience from one_time_codes where audience in (?, ?)")
      .bind(old.ctx.audience.id, fresh.ctx.audience.id)
      .all();
    expect(results).toEqual([{ audience: fresh.ctx.audience.id }]);
  });
});
