import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Demo } from "../seed/demo.ts";

type DemoServer = Readonly<{ url: string; port: number; publish(demo: Demo): void }>;

/**
 * Serves the demo shops' keys to the local front Worker, which shows them in the API reference. They
 * are not a file beside the page, because `npm run deploy` would upload it. It also receives the
 * demo shops' webhooks, and fails for one of them.
 *
 * @param preferredPort where the webhooks of an earlier start are sent to; 0 for any port.
 */
export async function startDemoServer(preferredPort = 0): Promise<DemoServer> {
  let published: Demo | null = null;
  const server = createServer(({ method, headers, url: path }, response) => {
    if (method === "POST") {
      response.writeHead(path === "/received" ? 204 : 500).end();
      return;
    }
    // A page of another site can let its own name lead here, and would be of the same origin then.
    const keys = headers.host === new URL(url).host ? published : null;
    response.writeHead(keys ? 200 : 404, { "Content-Type": "application/json" });
    response.end(keys && JSON.stringify(keys));
  });
  await listen(server, preferredPort).catch(() => listen(server, 0));
  const { port } = server.address() as AddressInfo; // safe: it listens on a port
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    port,
    publish: (demo) => {
      published = demo;
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  const listening = once(server, "listening"); // rejects when the port is taken
  server.listen(port, "127.0.0.1").unref();
  await listening;
}
