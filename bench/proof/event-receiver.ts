import { once } from "node:events";
import { createServer } from "node:http";
import { asText, createApiClient } from "../api-client.ts";

export type EventReceiver = Readonly<{
  url: string;
  /** The ids of the events that arrived, each as often as it arrived. */
  arrivals(): readonly string[];
  close(): void;
}>;

/** Starts a merchant's server that stores the id of every webhook. */
export async function startEventReceiver(): Promise<EventReceiver> {
  const arrivals: string[] = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      arrivals.push(String(request.headers["webhook-id"]));
      response.writeHead(204).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("There is no free port.");
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    arrivals: () => arrivals,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Subscribes the receiver to the events of the business that a shopper's order creates. */
export async function subscribe(origin: URL, secretKey: string, url: string): Promise<string> {
  const api = createApiClient(`${origin.origin}/api/v1/webhooks`, { "X-API-Key": secretKey });
  return asText((await api.post("", { url, events: ["order.created"] })).id);
}
