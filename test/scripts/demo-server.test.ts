import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startDemoServer } from "../../scripts/dev/demo-server.ts";
import { workerConfigs } from "../../scripts/dev/paths.ts";

describe("the demo shops' keys", () => {
  it("are served on this computer, from their seeding on, and to no page", async () => {
    const server = await startDemoServer();
    expect(new URL(server.url).hostname).toBe("127.0.0.1");
    expect((await fetch(server.url)).status).toBe(404);
    const demo = { shops: [] };
    server.publish(demo);
    const response = await fetch(server.url);
    expect(await response.json()).toEqual(demo);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  it.each([...workerConfigs, ".dev.vars.example"])("have no address in %s", (file) => {
    expect(readFileSync(file, "utf8")).not.toContain("DEMO_KEYS_URL");
  });
});
