import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

describe.each([
  ["storefront", "/api/v1"],
  ["link", "/v1/link"],
  ["business", "/v1/businesses"],
])("the %s surface", (_name, prefix) => {
  it("answers an unknown path with the failure envelope and every header", async () => {
    const response = await exports.default.fetch(`https://duka.test${prefix}/no/such/thing`, {
      headers: { "X-Request-Id": "request-0001" },
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      success: false,
      error: { code: "NOT_FOUND", retryable: false },
    });
    expect(response.headers.get("X-Request-Id")).toBe("request-0001");
    expect(response.headers.get("Server-Timing")).toMatch(
      /^d1;desc="0", do;desc="0", lease;desc="\d"$/,
    );
    const limit = Number(response.headers.get("X-RateLimit-Limit"));
    expect(limit).toBe(prefix === "/api/v1" ? 100 : 100_000);
    expect(Number(response.headers.get("X-RateLimit-Remaining"))).toBeLessThan(limit);
    expect(response.headers.get("X-RateLimit-Reset")).toMatch(/^\d{10}$/);
  });

  it("serves its OpenAPI 3.1 document and its health", async () => {
    const document = await exports.default.fetch(`https://duka.test${prefix}/openapi.json`);
    expect(await document.json()).toMatchObject({ openapi: "3.1.0" });
    const health = await exports.default.fetch(`https://duka.test${prefix}/healthz`);
    expect(await health.json()).toMatchObject({ status: "ok" });
  });
});
