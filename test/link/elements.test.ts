import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type Answer, givenBusiness, merchant, roundTrips } from "../support/world.ts";
import { bearer, bodyOf, link, refusal, somePhone, storefront } from "./given.ts";

const shopOrigin = "https://shop.example";
const ownOrigin = "https://duka.test";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

const allow = (business: CreatedBusiness, ...origins: string[]) =>
  merchant(business)("PATCH", "", { body: { allowed_origins: origins } });

const page = (element: string, query: Record<string, string>): Promise<Answer> =>
  link("GET", `/elements/${element}?${new URLSearchParams(query)}`);

const pageOf = ({ keys }: CreatedBusiness, origin = shopOrigin, element = "auth") =>
  page(element, { public_key: keys.publishable, origin });

/** The policy as its directives. */
const policyOf = ({ headers }: Answer): ReadonlyMap<string, string> =>
  new Map(
    (headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources.join(" ")];
    }),
  );

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}

describe.each(["auth", "account"])("GET /elements/%s", (element) => {
  it("is a page that the business's allowed_origins alone may frame", async () => {
    await allow(shop, shopOrigin, "https://other.example");
    const answer = await pageOf(shop, shopOrigin, element);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
    expect(policyOf(answer).get("frame-ancestors")).toBe(`${shopOrigin} https://other.example`);
  });

  it("runs its own script and style and nothing else, and calls this service alone", async () => {
    const answer = await pageOf(shop, shopOrigin, element);
    const html = String(answer.body);
    const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? "";
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? "";
    const policy = policyOf(answer);
    expect(policy.get("default-src")).toBe("'none'");
    expect(policy.get("script-src")).toBe(await hashOf(script));
    expect(policy.get("style-src")).toBe(await hashOf(style));
    expect(policy.get("connect-src")).toBe("'self'");
    expect(policy.get("base-uri")).toBe("'none'");
    expect(policy.get("form-action")).toBe("'none'");
  });

  it("sets no cookie, is kept nowhere, and asks one database read at most", async () => {
    const answer = await pageOf(shop, shopOrigin, element);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(1);
  });

  it("is refused to an origin that the business does not allow", async () => {
    await allow(shop, "https://other.example");
    expect(await pageOf(shop, shopOrigin, element)).toMatchObject({
      status: 403,
      body: refusal("FORBIDDEN"),
    });
  });

  it("is refused in live mode while no origin is allowed", async () => {
    const live = await givenBusiness({ mode: "live" });
    expect(await pageOf(live, shopOrigin, element)).toMatchObject({ status: 403 });
  });

  it("lets the origin that asks alone frame it when test mode allows any", async () => {
    const answer = await pageOf(shop, "http://localhost:3000", element);
    expect(policyOf(answer).get("frame-ancestors")).toBe("http://localhost:3000");
  });

  it.each([
    "",
    "*",
    "null",
    "shop.example",
    "https://shop.example/",
    "https://shop.example/path",
    "https://a@shop.example",
    "https://*.example",
    "https://shop.example;script-src",
    "https://shop.example,https://b.example",
    "https://shop.example 'self'",
    "javascript:alert(1)",
  ])("answers 400 to the origin %j", async (origin) => {
    expect(await pageOf(shop, origin, element)).toMatchObject({
      status: 400,
      body: refusal("VALIDATION_ERROR", { context: expect.objectContaining({ field: "origin" }) }),
    });
  });

  it("answers 401 without a known publishable key in its address", async () => {
    const { secret, publishable } = shop.keys;
    const unknown = `${publishable.slice(0, -4)}0000`;
    for (const public_key of ["", "pk_test_x", unknown, secret]) {
      const answer = await page(element, { public_key, origin: shopOrigin });
      expect(answer, public_key).toMatchObject({ status: 401, body: refusal("UNAUTHORIZED") });
    }
    expect(await page(element, { origin: shopOrigin })).toMatchObject({ status: 401 });
  });
});

describe("POST /elements/request-otp and /elements/verify-otp", () => {
  it("log in from a frame of this service, whatever origins the business allows", async () => {
    await allow(shop, shopOrigin);
    const headers = { Origin: ownOrigin };
    const contact = somePhone();
    const asked = await storefront(shop)("POST", "/elements/request-otp", {
      headers,
      body: { contact },
    });
    expect(asked).toMatchObject({ status: 200, body: { success: true } });
    const login = await storefront(shop)("POST", "/elements/verify-otp", {
      headers,
      body: { contact, otp_code: "123456" },
    });
    expect(login).toMatchObject({ status: 200, body: { success: true, expires_in: 3_600 } });
    const ask = bearer(bodyOf(login).session_token);
    expect(await ask("GET", "/data", { headers })).toMatchObject({ status: 200 });
  });

  it.each([
    ["/elements/request-otp", { contact: "+233241234567" }],
    ["/elements/verify-otp", { contact: "+233241234567", otp_code: "123456" }],
  ])("%s is refused to pages of other origins, allowed or not", async (path, body) => {
    await allow(shop, shopOrigin);
    for (const Origin of [shopOrigin, "https://evil.example", "null"]) {
      const answer = await storefront(shop)("POST", path, { headers: { Origin }, body });
      expect(answer, Origin).toMatchObject({ status: 403, body: refusal("FORBIDDEN") });
    }
  });

  it.each(["/elements/request-otp", "/elements/verify-otp"])(
    "%s takes a publishable key in its header, and no other",
    async (path) => {
      const body = { contact: somePhone(), otp_code: "123456" };
      const { publishable, secret } = shop.keys;
      const without = await link("POST", `${path}?public_key=${publishable}`, { body });
      expect(without).toMatchObject({ status: 401, body: refusal("UNAUTHORIZED") });
      const withSecret = await link("POST", path, { body, headers: { "X-API-Key": secret } });
      expect(withSecret).toMatchObject({ status: 401, body: refusal("UNAUTHORIZED") });
    },
  );
});
