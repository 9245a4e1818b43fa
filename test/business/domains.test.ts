import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import front from "../../functions/front/worker.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createProduct } from "../support/create-product.ts";
import { runQueuedJob } from "../support/cron.ts";
import { type ApiResponse, createBusiness, dataOf, merchant } from "../support/world.ts";

let shop: CreatedBusiness;
/** The texts of the TXT records by their names; null when DNS does not answer. */
let dns: Map<string, string[]> | null;
let hostCount = 0;

beforeEach(async () => {
  shop = await createBusiness({ name: "Ama's Tea" });
  dns = new Map();
  const networkFetch = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    if (url.hostname !== "cloudflare-dns.com") return networkFetch(input, init);
    if (dns === null) return new Response(null, { status: 503 });
    const texts = dns.get(url.searchParams.get("name") ?? "");
    if (texts === undefined) return Response.json({ Status: 3 });
    const Answer = texts.map((text) => ({ type: 16, TTL: 60, data: `"${text}"` }));
    return Response.json({ Status: 0, Answer });
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const errorOf = ({ status, body }: ApiResponse) => {
  const { code, context } = Object(body).error;
  return { status, code: context?.rule ?? code };
};

/** A hostname that no other test has, because an isolate remembers what a host leads to. */
function createHostname(): string {
  hostCount += 1;
  return `shop-${hostCount}.example.org`;
}

const addDomain = async (hostname: string, business = shop) =>
  dataOf(await merchant(business)("POST", "/domains", { body: { hostname } }));

async function publishRecord({ verification }: { verification: { name: string; value: string } }) {
  const texts = dns?.get(verification.name) ?? [];
  dns?.set(verification.name, [...texts, verification.value]);
}

const verify = ({ id }: { id: string }, business = shop) =>
  merchant(business)("POST", `/domains/${id}/verify`);

async function createVerifiedDomain(): Promise<string> {
  const hostname = createHostname();
  const domain = await addDomain(hostname);
  await publishRecord(domain);
  expect((await verify(domain)).status).toBe(200);
  return hostname;
}

const checkDueDomains = () => runQueuedJob({ job: "verify-domains", shard: null, chain: 0 });

const worker = { fetch: (request: Request) => exports.default.fetch(request) };

/** Sends a request through the front, as the Internet does. */
function visit(url: string, init: RequestInit = {}): Promise<Response> {
  const services = {
    STOREFRONT: worker,
    PAGES: worker,
    LINK: worker,
    BUSINESS: worker,
    AGENTS: worker,
  };
  const assets = { fetch: async () => new Response("the front page") };
  return front.fetch(
    new Request(url, { redirect: "manual", ...init }),
    { ...services, BACKGROUND: { runJobs: async () => {} }, ASSETS: assets },
    { waitUntil: () => {} },
  );
}

describe("POST /domains", () => {
  it("adds a pending domain with the DNS record that verifies it, once for each hostname", async () => {
    const hostname = createHostname();
    const domain = await addDomain(hostname.toUpperCase());
    expect(domain).toMatchObject({
      hostname,
      status: "pending",
      verified_at: null,
      verification: {
        type: "TXT",
        name: `_duka.${hostname}`,
        value: `duka-verification=${shop.business.id}`,
      },
    });
    expect(await addDomain(hostname)).toEqual(domain);
    expect(dataOf(await merchant(shop)("GET", "/domains")).items).toEqual([domain]);
  });

  it.each([
    ...["", "shop", "localhost", "127.0.0.1", "[::1]", "0x7f.1", "shop.example.com:8080"],
    ...["https://shop.example.com", "shop.example.com/path", "a b.example.com", "-a.example.com"],
    ...["a..example.com", "*.example.com", `${"a".repeat(64)}.example.com`, "user@example.com"],
    `${"a.".repeat(125)}example.com`,
    // The host of the deployment, one below it and one above it.
    ...["duka.test", "shop.duka.test"],
  ])("refuses %s", async (hostname) => {
    const response = await merchant(shop)("POST", "/domains", { body: { hostname } });
    expect(errorOf(response)).toEqual({ status: 400, code: "VALIDATION_ERROR" });
  });

  it("takes international names in their ASCII form", async () => {
    hostCount += 1;
    const hostname = `büro-${hostCount}.example.org`;
    expect((await addDomain(hostname)).hostname).toBe(new URL(`https://${hostname}`).hostname);
  });

  it("refuses more than 20 domains", async () => {
    for (let count = 0; count < 20; count += 1) await addDomain(createHostname());
    const response = await merchant(shop)("POST", "/domains", {
      body: { hostname: createHostname() },
    });
    expect(errorOf(response)).toEqual({ status: 422, code: "DOMAIN_LIMIT" });
  });
});

describe("POST /domains/{domain_id}/verify", () => {
  it("says which record is missing, and verifies the domain once it is there", async () => {
    const domain = await addDomain(createHostname());
    const refused = await verify(domain);
    expect(errorOf(refused)).toEqual({ status: 422, code: "DOMAIN_NOT_VERIFIED" });
    expect(Object(refused.body).error.message).toContain(domain.verification.name);
    dns?.set(domain.verification.name, ["duka-verification=biz_other", "v=spf1 -all"]);
    expect((await verify(domain)).status).toBe(422);
    await publishRecord(domain);
    expect(dataOf(await verify(domain))).toMatchObject({ id: domain.id, status: "verified" });
    expect((await verify(domain)).status).toBe(200);
  });

  it("is 503 while DNS does not answer", async () => {
    const domain = await addDomain(createHostname());
    dns = null;
    expect(errorOf(await verify(domain))).toMatchObject({ status: 503 });
  });

  it("gives the hostname to the business whose record is there, and never to two", async () => {
    const hostname = await createVerifiedDomain();
    const rival = await createBusiness();
    const claimed = await addDomain(hostname, rival);
    await publishRecord(claimed);
    expect(errorOf(await verify(claimed, rival))).toEqual({ status: 409, code: "CONFLICT" });
    dns?.set(claimed.verification.name, [claimed.verification.value]);
    expect(dataOf(await verify(claimed, rival))).toMatchObject({ status: "verified" });
    const [former] = dataOf(await merchant(shop)("GET", "/domains")).items;
    expect(former.status).toBe("pending");
  });

  it("is 404 for another business's domain", async () => {
    const domain = await addDomain(createHostname());
    const rival = await createBusiness();
    expect((await verify(domain, rival)).status).toBe(404);
    expect((await merchant(rival)("DELETE", `/domains/${domain.id}`)).status).toBe(404);
  });
});

it("looks for the records of pending domains every minute, and after a week no more", async () => {
  const domain = await addDomain(createHostname());
  await publishRecord(domain);
  const readStatus = async () => dataOf(await merchant(shop)("GET", "/domains")).items[0].status;
  await checkDueDomains();
  expect(await readStatus()).toBe("pending");
  vi.setSystemTime(Date.now() + 61_000);
  await checkDueDomains();
  expect(await readStatus()).toBe("verified");
  await addDomain(createHostname());
  vi.setSystemTime(Date.now() + 8 * 24 * 3_600_000);
  await checkDueDomains();
  const due = await env.CORE.prepare(
    "select count(*) as count from business_domains where check_due_at is not null and business_id = ?",
  )
    .bind(shop.business.id)
    .first("count");
  expect(due).toBe(0);
});

describe("a verified domain", () => {
  it("shows the shop at its root, with links below it", async () => {
    const hostname = await createVerifiedDomain();
    await createProduct(shop, { name: "Tea", slug: "tea" });
    const home = await visit(`https://${hostname}/`);
    const html = await home.text();
    expect(home.status).toBe(200);
    expect(html).toContain("Ama&#39;s Tea");
    expect(html).toContain('href="/products/tea"');
    expect(html).toContain(`<link rel="canonical" href="https://${hostname}/"`);
    expect(html).not.toContain(`/shop/${shop.business.slug}`);
    expect((await visit(`https://${hostname}/products/tea`)).status).toBe(200);
    expect((await visit(`https://${hostname}/cart`)).status).toBe(200);
    const former = await visit(`https://${hostname}/shop/${shop.business.slug}/cart?a=1`);
    expect(former.status).toBe(308);
    expect(former.headers.get("Location")).toBe(`https://${hostname}/cart?a=1`);
  });

  it("answers API calls without a key, also from its own pages, and takes other keys", async () => {
    const hostname = await createVerifiedDomain();
    const rival = await createBusiness();
    const url = `https://${hostname}/api/v1/business`;
    const headers = { Origin: `https://${hostname}` };
    for (const init of [{}, { headers }]) {
      const response = await visit(url, init);
      expect(response.status).toBe(200);
      expect((await response.json<{ data: { id: string } }>()).data.id).toBe(shop.business.id);
    }
    const own = await visit(url, { headers: { "X-Public-Key": rival.keys.publishable } });
    expect((await own.json<{ data: { id: string } }>()).data.id).toBe(rival.business.id);
  });

  it("serves neither another shop nor the deployment's own paths", async () => {
    const hostname = await createVerifiedDomain();
    const rival = await createBusiness({ name: "Rival" });
    for (const path of [
      ...[`/shop/${rival.business.slug}`, `/shop/${rival.business.id}`],
      ...["/v1/businesses", "/console", "/docs", "/v1/operator/status", "/v1/link/data"],
    ])
      expect((await visit(`https://${hostname}${path}`)).status, path).toBe(404);
  });

  it("serves the links of messages", async () => {
    const hostname = await createVerifiedDomain();
    const page = await visit(`https://${hostname}/messages/unsubscribe/x`);
    expect(await page.text()).toContain("This link does not work");
    const support = await visit(`https://${hostname}/support`);
    expect(support.status).toBe(200);
    const webhook = await visit(`https://${hostname}/messages/resend`, { method: "POST" });
    expect(webhook.status).toBe(404);
  });

  it("ends with its removal, and the host is the deployment's again", async () => {
    const hostname = await createVerifiedDomain();
    expect((await visit(`https://${hostname}/cart`)).status).toBe(200);
    const [domain] = dataOf(await merchant(shop)("GET", "/domains")).items;
    expect((await merchant(shop)("DELETE", `/domains/${domain.id}`)).status).toBe(200);
    vi.setSystemTime(Date.now() + 11_000);
    expect(await (await visit(`https://${hostname}/`)).text()).toBe("the front page");
  });
});

it("answers 404 on every path of a pending domain", async () => {
  const hostname = createHostname();
  await addDomain(hostname);
  for (const path of ["/", "/api/v1/business", "/v1/businesses", "/docs", "/shop/x", "/healthz"])
    expect((await visit(`https://${hostname}${path}`)).status, path).toBe(404);
});

it("takes no other caller's word for the shop of a host", async () => {
  const response = await visit(`https://duka.test/shop/${shop.business.slug}`, {
    headers: { "X-Shop-Domain": shop.business.slug },
  });
  expect(await response.text()).toContain(`href="/shop/${shop.business.slug}/cart"`);
});
