import { describe, expect, it } from "vitest";
import front from "../../functions/front/worker.ts";

const respondAs = (name: string) => ({
  fetch: async () => new Response(name, { headers: { "Content-Type": "text/html" } }),
});

/** Sends a request to the front Worker, with services that answer with their names. */
const send = (url: string, cdnUrl?: string) =>
  front.fetch(new Request(url), {
    STOREFRONT: respondAs("storefront"),
    LINK: respondAs("link"),
    BUSINESS: respondAs("business"),
    BACKGROUND: { runJobs: async () => {} },
    ASSETS: respondAs("page"),
    ...(cdnUrl !== undefined && { CDN_URL: cdnUrl }),
  });

describe("GET /docs", () => {
  it("runs only the reference's own scripts, and no merchant's asset of the same host", async () => {
    const response = await send("https://duka.test/docs");
    expect(await response.text()).toBe("page");
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    const sources = /script-src ([^;]*)/.exec(policy)?.[1];
    expect(sources).toBe("https://duka.test/reference/");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
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
