import { describe, expect, it, vi } from "vitest";
import { call, givenBusiness } from "../support/world.ts";

describe("rate limits", () => {
  it("admit exactly the limit of many requests at once, and tell the rest when to come back", async () => {
    const { business, keys } = await givenBusiness();
    vi.setSystemTime(1_900_000_000_200);
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        call("GET", `/v1/businesses/${business.id}`, { headers: { "X-API-Key": keys.secret } }),
      ),
    );
    const admitted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(admitted).toHaveLength(50);
    expect(refused).toHaveLength(10);
    expect(refused[0]).toMatchObject({
      body: { error: { code: "RATE_LIMITED", retryable: true, context: { retry_after_ms: 800 } } },
    });
    expect(refused[0]?.headers.get("Retry-After")).toBe("1");
    expect(refused[0]?.headers.get("X-RateLimit-Remaining")).toBe("0");
  });

  it("begin anew with the next window", async () => {
    const { business, keys } = await givenBusiness();
    vi.setSystemTime(1_900_000_010_000);
    const ask = () =>
      call("GET", `/v1/businesses/${business.id}`, { headers: { "X-API-Key": keys.secret } });
    await Promise.all(Array.from({ length: 51 }, ask));
    expect(await ask()).toMatchObject({ status: 429 });
    vi.setSystemTime(1_900_000_011_000);
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("X-RateLimit-Limit")).toBe("50");
    expect(answer.headers.get("X-RateLimit-Remaining")).toBe("49");
    expect(answer.headers.get("X-RateLimit-Reset")).toBe("1900000012");
  });

  it("ask their object for less than one in ten requests when traffic is steady", async () => {
    const { business, keys } = await givenBusiness();
    vi.setSystemTime(1_900_000_020_000);
    let leases = 0;
    for (let request = 0; request < 50; request += 1) {
      const { headers } = await call("GET", `/v1/businesses/${business.id}`, {
        headers: { "X-API-Key": keys.secret },
      });
      leases += Number(/lease;desc="(\d+)"/.exec(headers.get("Server-Timing") ?? "")?.[1]);
    }
    expect(leases).toBeLessThan(2 * 5); // two limits, each less than one in ten
  });
});
