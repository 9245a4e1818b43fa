import { describe, expect, it } from "vitest";
import { isError, isNoise } from "../../scripts/dev/wrangler-log.ts";

describe("wrangler's log lines in npm run dev", () => {
  it.each([
    "",
    "Using secrets defined in functions/link/.dev.vars",
    'env.SESSION_SECRET ("(hidden)")                 Environment Variable      local',
    "duka-front has access to the following bindings:",
    "[wrangler:info] GET /cdn-cgi/local/scheduled 200 OK (12ms)",
    "[wrangler:info] Ready on http://localhost:8787",
    "[wrangler:info] GET /healthz 200 OK (1ms)",
    '{"level":"info","what":"request","request_id":"r-0001","status":200}',
    '[duka-storefront] {"level":"info","what":"request","request_id":"r-0001","status":200}',
  ])("hides %j", (line) => {
    expect(isNoise(line)).toBe(true);
  });

  it.each([
    "[wrangler:info] POST /api/v1/cart/items 200 OK (31ms)",
    "[wrangler:info] GET /healthz 503 Service Unavailable (1ms)",
    '{"level":"error","what":"delivery failed"}',
    '[duka-background] {"level":"error","what":"delivery failed"}',
    "env is not defined",
    "[sms to +233241234567] 482913 is your code for Corner Books.",
  ])("shows %j", (line) => {
    expect(isNoise(line)).toBe(false);
  });

  it("recognizes an error by its label, with or without colours", () => {
    expect(
      isError("\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m Build failed"),
    ).toBe(true);
    expect(isError("GET /api/v1/cart 200 OK")).toBe(false);
  });
});
