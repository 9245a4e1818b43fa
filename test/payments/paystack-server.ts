import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { createPaystackAccount, failure } from "./paystack-account.ts";
import { type ResponseFault, readText, responseFaults } from "./response-faults.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the server in paystack-server.ts. */
    paystack: string;
  }
}

/** `/slow/…` affects every response, `/slow-refund/…` only that of POST /refund. */
function faultOf(
  { method }: IncomingMessage,
  first: string,
  path: string,
): ResponseFault | undefined {
  const [name = "", only] = first.split("-");
  const isMeant = only === undefined || (method === "POST" && path === `/${only}`);
  return isMeant ? responseFaults[name] : undefined;
}

/**
 * A Paystack server for tests inside workerd. Under a path that starts with the name of a fault, it
 * completes the call but breaks the response.
 */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const account = createPaystackAccount();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://paystack.test");
    const [, first = "", ...rest] = url.pathname.split("/");
    if ((first.split("-")[0] ?? "") in responseFaults) url.pathname = `/${rest.join("/")}`;
    const fault = faultOf(request, first, url.pathname);
    const { code, body } = isAuthorized(request)
      ? account.reply(
          request.method ?? "",
          url,
          Object(JSON.parse((await readText(request)) || "{}")),
        )
      : failure("Invalid key", 401);
    const text = JSON.stringify(body);
    if (fault) return fault(response, text);
    response.writeHead(code, { "Content-Type": "application/json" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  provide("paystack", `http://127.0.0.1:${(server.address() as AddressInfo).port}`); // safe: it listens on a port
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

/** Requires the secret key, and JSON for a request with a body. */
function isAuthorized({ headers, method }: IncomingMessage): boolean {
  const isJson = method === "GET" || headers["content-type"] === "application/json";
  return /^Bearer sk_(?:live|test)_\w+$/.test(headers.authorization ?? "") && isJson;
}
