import { createServer } from "node:http";
import { createPlatformProfile } from "../test/agents/platform-profile.ts";
import { asRecord, asText } from "./api-client.ts";
import type { BenchShop } from "./create-shop.ts";
import type { BenchRow } from "./rows.ts";
import type { Visitor, VisitorRequest } from "./visitor.ts";

/** The profile of a platform, which the agents Worker fetches with the first call. */
const profile = createPlatformProfile({
  release: "2026-08-25",
  capabilities: ["checkout", "cart", "catalog.search", "fulfillment", "discount"].map(
    (name) => `dev.ucp.shopping.${name}`,
  ),
});

export type BenchPlatform = Readonly<{ profileUrl: string; stop(): void }>;

/** Hosts a platform's profile on a port of this machine. */
export async function startPlatform(): Promise<BenchPlatform> {
  const server = createServer((_, response) => {
    response.writeHead(200, {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=3600",
    });
    response.end(JSON.stringify(profile));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { profileUrl: `http://127.0.0.1:${port}/profile.json`, stop: () => server.close() };
}

/** Checkouts of an agent. Writes of a storefront's cart are the measure for the first two. */
export const createAgentRows = (
  { slug, publishableKey, items }: BenchShop,
  { profileUrl }: BenchPlatform,
): readonly BenchRow[] => {
  const lines = items.slice(0, 2).map(({ variantId }) => ({
    item: { id: variantId },
    quantity: 1,
  }));
  const record = { line_items: lines, buyer: { email: "ama@example.com" } };
  const call = (
    visitor: Visitor,
    method: VisitorRequest["method"],
    path: string,
    body: object,
  ): Promise<string> =>
    visitor.send({
      ...(method && { method }),
      path: `/agents/${slug}/ucp/checkout-sessions${path}`,
      headers: { "UCP-Agent": `profile="${profileUrl}"`, "Idempotency-Key": crypto.randomUUID() },
      body,
    });
  const create = async (visitor: Visitor): Promise<string> =>
    asText(asRecord(JSON.parse(await call(visitor, "POST", "", record))).id);
  const row = (name: string, work: BenchRow["work"]): BenchRow => ({
    ...{ name, publishableKey, work },
    kind: "write",
  });
  return [
    row("agent: create a checkout of 2", (visitor) => () => create(visitor)),
    row("agent: replace a checkout of 2", async (visitor) => {
      const id = await create(visitor);
      return () => call(visitor, "PUT", `/${id}`, record);
    }),
    row("agent: create and complete, cash, placed", (visitor) => async () => {
      const instrument = { id: "pi_1", handler_id: "cash_on_delivery", type: "cash" };
      const id = await create(visitor);
      const body = { payment: { instruments: [instrument] } };
      const completed = asRecord(JSON.parse(await call(visitor, "POST", `/${id}/complete`, body)));
      if (completed.status !== "completed")
        throw new Error(`No order was placed: ${JSON.stringify(completed.messages)}`);
    }),
  ];
};
