import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
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

  it("are served under no other name, which a foreign page could let lead here", async () => {
    const server = await startDemoServer();
    server.publish({ shops: [] });
    const { port } = new URL(server.url);
    for (const host of [`shop.example:${port}`, `localhost:${port}`, "127.0.0.1"])
      expect(await readStatus(server.url, host), host).toBe(404);
    expect(await readStatus(server.url, `127.0.0.1:${port}`)).toBe(200);
  });

  it.each([...workerConfigs, ".dev.vars.example"])("have no address in %s", (file) => {
    expect(readFileSync(file, "utf8")).not.toContain("DEMO_KEYS_URL");
  });
});

describe("the demo shops' webhooks", () => {
  it("are received, one of them with a failure, at another port when theirs is taken", async () => {
    const { url, port } = await startDemoServer();
    const post = (path: string) => fetch(`${url}${path}`, { method: "POST", body: "{}" });
    expect((await post("received")).status).toBe(204);
    expect((await post("failing")).status).toBe(500);
    // The port is still taken here, so another one serves.
    const second = await startDemoServer(port);
    expect(second.port).not.toBe(port);
    expect((await fetch(second.url, { method: "POST" })).status).toBe(500);
  });
});

describe("the messages of development", () => {
  it("are kept, but for the first to an address in .invalid, which bounces", async () => {
    const { url } = await startDemoServer();
    const post = async (fields: object) => {
      const body = JSON.stringify({ channel: "email", text: "Hello", ...fields });
      return (await fetch(`${url}messages`, { method: "POST", body })).status;
    };
    expect(await post({ id: "1", to: "ama@example.com" })).toBe(204);
    expect(await post({ id: "2", to: "ama@mail.invalid" })).toBe(422);
    expect(await post({ id: "3", to: "ama@mail.invalid" })).toBe(204);
    expect(await post({ id: "4", to: "kofi@mail.invalid" })).toBe(422);
    const listed = await fetch(`${url}messages`, { headers: { Accept: "application/json" } });
    expect(await listed.json()).toMatchObject([{ id: "3" }, { id: "1" }]);
  });
});

/** The status of a request with this Host header, which `fetch` does not let set. */
async function readStatus(url: string, host: string): Promise<number | undefined> {
  const sent = request(url, { headers: { Host: host } }).end();
  const [response]: IncomingMessage[] = await once(sent, "response");
  response?.resume();
  return response?.statusCode;
}
