import { createServer } from "node:http";
import type { AccountState } from "./cloudflare-account.ts";
import { respond } from "./cloudflare-api.ts";
import type { Cut } from "./deployments.ts";

/** Serves Cloudflare's API on a port of this machine, for wrangler. */
export async function startCloudflare(state: AccountState) {
  const calls: string[] = [];
  let cut: Cut | null = null;
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    const body = Buffer.concat(await incoming.toArray());
    calls.push(`${method} ${url}`);
    const isCut = cut?.call === calls.length;
    if (isCut && cut?.when === "before") return incoming.socket.destroy();
    const request = new Request(`http://cloudflare.test${url}`, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        typeof value === "string" ? [[name, value] as [string, string]] : [],
      ),
      ...(body.length > 0 && { body }),
    });
    const response = await respond(state, request);
    if (isCut) return incoming.socket.destroy();
    outgoing.writeHead(response.status, { "Content-Type": "application/json" });
    outgoing.end(await response.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}/client/v4`,
    /** The calls since the last cut was set. */
    calls,
    /** Breaks the connection once, at a call from now on. */
    cutAt(next: Cut | null) {
      calls.length = 0;
      cut = next;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
