import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { readText, responseFaults } from "../response-faults.ts";
import { createStripeAccount } from "./stand-in/account.ts";
import type { CardBehavior } from "./stand-in/records.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the server in stripe-server.ts. */
    stripe: string;
  }
}

/**
 * A Stripe server for tests inside workerd. A key that ends in the name of a fault, such as
 * `sk_test_cut`, lets the call take effect but breaks its response. `POST /pages/{session}` pays on
 * a page, as the shopper does.
 */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const secretKey = "sk_test_server";
  const account = createStripeAccount({ secretKey, searchDelayMs: 0 });
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? "", "http://stripe.test");
    const { method = "", headers } = request;
    const page = /^\/pages\/(\w+)$/.exec(pathname)?.[1];
    const form = method === "GET" ? search.slice(1) : await readText(request);
    if (page !== undefined) {
      const paid = account.payPage(page, (form || "pays") as CardBehavior); // safe: a test sends it
      return response.writeHead(200).end(paid.id);
    }
    const [, fault = ""] = /^Bearer sk_test_(\w+)$/.exec(headers.authorization ?? "") ?? [];
    const isFaulty = fault in responseFaults;
    const sent = new Headers(
      Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    );
    if (isFaulty) sent.set("authorization", `Bearer ${secretKey}`);
    const { status, body } = account.reply({ method, path: pathname, form, headers: sent });
    const text = JSON.stringify(body);
    if (isFaulty) return responseFaults[fault]?.(response, text);
    return response.writeHead(status, { "Content-Type": "application/json" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  provide("stripe", `http://127.0.0.1:${(server.address() as AddressInfo).port}`); // safe: it listens on a port
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}
