import { describe, expect, it, vi } from "vitest";
import front from "../../functions/front/worker.ts";

const respondAs = (name: string) => ({
  fetch: async () => new Response(name, { headers: { "Content-Type": "text/html" } }),
});

/** Sends a request to the front Worker, with services that answer with their names. */
const send = (url: string, cdnUrl?: string, more: object = {}) => {
  const env = {
    STOREFRONT: respondAs("storefront"),
    PAGES: respondAs("pages"),
    LINK: respondAs("link"),
    BUSINESS: respondAs("business"),
    AGENTS: respondAs("agents"),
    BACKGROUND: { runJobs: async () => {} },
    ASSETS: respondAs('<main id="reference"></main>'),
    PUBLIC_URL: "https://duka.test",
    ...(cdnUrl !== undefined && { CDN_URL: cdnUrl }),
    ...more,
  };
  return front.fetch(new Request(url), env, { waitUntil: () => {} });
};

describe("GET /docs", () => {
  it("runs only the reference's own scripts, and no merchant's asset of the same host", async () => {
    const response = await send("https://duka.test/docs");
    expect(await response.text()).toBe('<main id="reference"></main>');
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    const sources = /script-src ([^;]*)/.exec(policy)?.[1];
    expect(sources).toBe("https://duka.test/reference/");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
  });
});

describe("the demo shops in /docs", () => {
  const key = "sk_test_demo";
  const demo = { shops: [{ id: "biz_1", name: 'A "shop"', keys: { secret: key } }] };
  const development = { DEMO_KEYS_URL: "http://127.0.0.1:20001/" };

  async function readDocs(origin: string, env: object): Promise<string> {
    const load = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(demo));
    const response = await send(`${origin}/docs`, undefined, env);
    const text = await response.text();
    load.mockRestore();
    return text;
  }

  it("are part of the page in development", async () => {
    const page = await readDocs("http://localhost:8787", development);
    const attribute = /data-demo="([^"]*)"/.exec(page)?.[1] ?? "";
    expect(JSON.parse(attribute.replaceAll("&quot;", '"'))).toEqual(demo);
  });

  it("are missing in a deployment, which does not set DEMO_KEYS_URL", async () => {
    for (const origin of ["http://localhost:8787", "https://duka.test"])
      expect(await readDocs(origin, {})).not.toContain(key);
  });

  it("are missing under every name that is not this computer's", async () => {
    for (const origin of ["https://duka.test", "http://localhost.duka.test:8787"])
      expect(await readDocs(origin, development)).not.toContain(key);
  });

  it("are missing while nothing serves them", async () => {
    const refuse = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("refused"));
    const response = await send("http://localhost:8787/docs", undefined, development);
    refuse.mockRestore();
    expect(await response.text()).toBe('<main id="reference"></main>');
  });
});

describe("the host of merchants' assets", () => {
  const host = "https://files.test";

  it.each(["/docs", "/api/v1/cart", "/v1/businesses/bus_1", "/v1/link/data", "/cdn/assets/a/b"])(
    "serves no %s",
    async (path) => {
      expect((await send(`${host}${path}`, host)).status).toBe(404);
      expect((await send(`https://duka.test${path}`, host)).status).toBe(200);
    },
  );

  it("serves assets", async () => {
    const response = await send(`${host}/assets/bus_1/a.png`, `${host}/`);
    expect(await response.text()).toBe("storefront");
  });
});

it("answers a missing file of the console with 404, which nobody caches, and a page with the page", async () => {
  const immutable = { headers: { "Cache-Control": "public, max-age=31536000, immutable" } };
  const files = (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/console/") return new Response("the page");
    if (pathname === "/console/assets/a.js") return new Response("a script", immutable);
    return new Response(null, { status: 404, ...immutable });
  };
  const read = async (path: string) => {
    const url = `https://duka.test/console${path}`;
    const response = await send(url, undefined, { ASSETS: { fetch: files } });
    return [response.status, response.headers.get("Cache-Control"), await response.text()];
  };
  expect(await read("/assets/b.js")).toEqual([404, "no-store", "There is no such file."]);
  expect(await read("/assets/a.js")).toEqual([200, immutable.headers["Cache-Control"], "a script"]);
  expect(await read("/biz_1/orders")).toEqual([200, "no-cache", "the page"]);
});

describe("the front page", () => {
  const page = {
    fetch: async () => new Response('<h1>Duka</h1><section id="demo-shops"></section>'),
  };
  const read = async (more: object) =>
    (await send("https://duka.test/", undefined, { ...more, ASSETS: page })).text();

  it("leads to the demo shops in development alone", async () => {
    expect(await read({ DEMO_KEYS_URL: "http://127.0.0.1:20001/" })).toContain("demo-shops");
    expect(await read({})).toBe("<h1>Duka</h1>");
  });
});

it("sends the hosted pages to their Worker", async () => {
  for (const path of ["/shop/corner", "/orders/ord_1?token=bt_1"])
    expect(await (await send(`https://duka.test${path}`)).text()).toBe("pages");
});

it("sends the calls of the console to the business Worker", async () => {
  for (const path of ["/v1/console/me", "/v1/console/auth/request-otp"])
    expect(await (await send(`https://duka.test${path}`)).text()).toBe("business");
});

it("sends the calls of agents and the tools of merchants to their Worker", async () => {
  for (const path of ["/agents/cafe/.well-known/ucp", "/mcp"])
    expect(await (await send(`https://duka.test${path}`)).text()).toBe("agents");
});

describe("the host of a shop on this computer", () => {
  const shops = {
    STOREFRONT: {
      fetch: async ({ url }: Request) =>
        new URL(url).pathname === "/api/v1/shops/cafe"
          ? Response.json({ data: { public_key: "pk_test_1", business: { slug: "cafe" } } })
          : new Response(null, { status: 404 }),
    },
    AGENTS: { fetch: async ({ url }: Request) => new Response(new URL(url).pathname) },
  };

  it("has the shop's address for agents", async () => {
    const profile = await send("http://cafe.localhost:8787/.well-known/ucp", undefined, shops);
    expect(await profile.text()).toBe("/agents/cafe/.well-known/ucp");
  });

  it("is one of the deployment when no shop has the name", async () => {
    const home = await send("http://tea.localhost:8787/v1/link/healthz", undefined, shops);
    expect(await home.text()).toBe("link");
  });
});
