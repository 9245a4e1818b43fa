import { createServer } from "node:http";

export type AgentPlatform = Readonly<{
  origin: string;
  /** The URL of its client metadata document. */
  clientId: string;
  redirectUri: string;
  /** The header with which its agents name themselves. */
  headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}>;

const version = "2026-08-25";
const capabilities = ["checkout", "fulfillment", "order"].map((name) => [
  `dev.ucp.shopping.${name}`,
  [{ version, spec: "https://ucp.dev", schema: "https://ucp.dev" }],
]);

const profile = {
  ucp: {
    version,
    services: {
      "dev.ucp.shopping": [
        { version, spec: "https://ucp.dev", transport: "rest", schema: "https://ucp.dev" },
      ],
    },
    capabilities: Object.fromEntries(capabilities),
    payment_handlers: {},
  },
  keys: [],
  signing_keys: [],
};

/** Starts the web server of a platform, with its profile, its client document and its callback. */
export async function startAgentPlatform(): Promise<AgentPlatform> {
  const server = createServer(({ url = "/", headers: { host } }, response) => {
    const clientId = `http://${host}/client.json`;
    const redirect_uris = [`http://${host}/callback`];
    const documents: Readonly<Record<string, object>> = {
      "/client.json": { client_id: clientId, client_name: "Shopping helper", redirect_uris },
      "/profile.json": profile,
    };
    const document = documents[url];
    response
      .writeHead(200, { "Content-Type": document ? "application/json" : "text/html" })
      .end(document ? JSON.stringify(document) : "<!doctype html><title>Back</title>");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    clientId: `${origin}/client.json`,
    redirectUri: `${origin}/callback`,
    headers: { "UCP-Agent": `profile="${origin}/profile.json"` },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
