import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Demo } from "../seed/demo.ts";

/**
 * Serves the demo shops' keys to the local front Worker, which shows them in the API reference. They
 * are not a file beside the page, because `npm run deploy` would upload it.
 */
export async function startDemoServer(): Promise<
  Readonly<{ url: string; publish(demo: Demo): void }>
> {
  let published: Demo | null = null;
  const server = createServer(({ headers }, response) => {
    // A page of another site can let its own name lead here, and would be of the same origin then.
    const keys = headers.host === new URL(url).host ? published : null;
    response.writeHead(keys ? 200 : 404, { "Content-Type": "application/json" });
    response.end(keys && JSON.stringify(keys));
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // safe: it listens on a port
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    publish: (demo) => {
      published = demo;
    },
  };
}
