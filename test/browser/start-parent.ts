import { createServer } from "node:http";
import { shopPage } from "./shop-page.ts";

export type Parent = Readonly<{ origin: string; stop(): Promise<void> }>;

/** Starts a shop's web server, whose page frames elements. */
export async function startParent(): Promise<Parent> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(shopPage);
  });
  await new Promise<void>((listening) => server.listen(0, "localhost", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    origin: `http://localhost:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
