import { describe, expect, it } from "vitest";
import { call } from "../support/world.ts";

describe.each([
  ["storefront", "/api/v1"],
  ["link", "/v1/link"],
  ["business", "/v1/businesses"],
])("the %s API", (_name, prefix) => {
  it("responds to an unknown path with the error envelope and every header", async () => {
    const { status, body, headers } = await call("GET", `${prefix}/no/such/thing`, {
      headers: { "X-Request-Id": "request-0001" },
    });
    expect(status).toBe(404);
    expect(body).toMatchObject({ success: false, error: { code: "NOT_FOUND", retryable: false } });
    expect(headers.get("X-Request-Id")).toBe("request-0001");
    expect(headers.get("Server-Timing")).toMatch(/^d1;desc="0", do;desc="0", lease;desc="\d"$/);
    const limit = Number(headers.get("X-RateLimit-Limit"));
    expect(limit).toBe(prefix === "/api/v1" ? 100 : 100_000);
    expect(Number(headers.get("X-RateLimit-Remaining"))).toBeLessThan(limit);
    expect(headers.get("X-RateLimit-Reset")).toMatch(/^\d{10}$/);
  });

  it("serves its OpenAPI 3.1 document and its health check", async () => {
    const document = await call("GET", `${prefix}/openapi.json`);
    expect(document.body).toMatchObject({ openapi: "3.1.0" });
    const health = await call("GET", `${prefix}/healthz`);
    expect(health.body).toMatchObject({ status: "ok" });
  });
});
