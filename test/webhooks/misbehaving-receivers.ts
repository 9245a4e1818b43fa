import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the receivers of misbehaving-receivers.ts listen. */
    receivers: string;
  }
}

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const respond =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) =>
    response.writeHead(status, headers).end("thank you");

/** Streams a response until the client disconnects. */
const streamForever =
  (chunk: Buffer, everyMs: number): Behaviour =>
  (_request, response) => {
    response.writeHead(200);
    const writeMore = () => {
      if (response.destroyed) return;
      if (response.write(chunk)) setTimeout(writeMore, everyMs);
      else response.once("drain", writeMore);
    };
    writeMore();
  };

/** Announces a longer body than it sends and closes the connection. */
const hangUp =
  (status: number): Behaviour =>
  (_request, response) => {
    response.writeHead(status, { "Content-Length": "1000" });
    response.write("thank", () => response.destroy());
  };

const behaviours: Readonly<Record<string, Behaviour>> = {
  fine: respond(200),
  silent: respond(204),
  broken: respond(500),
  gone: respond(410),
  elsewhere: respond(302, { Location: "/fine" }),
  closing: (request) => request.socket.destroy(),
  cut: hangUp(200),
  "broken-cut": hangUp(500),
  gibberish: (request) => request.socket.end("I am a teapot\r\n\r\n"),
  slow: () => {}, // never responds
  dripping: streamForever(Buffer.from("."), 20),
  endless: streamForever(Buffer.alloc(65_536), 0),
};

/** A receiver's complete requests, and how many of their connections are closed. */
type CallCounts = { calls: number; closed: number };

/**
 * Webhook receivers over real connections for the tests in workerd, one per path. `/counts` returns
 * what each has received. A test prefixes its paths to have receivers of its own.
 */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const counts: Record<string, CallCounts> = {};
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (path === "/counts") {
      response.end(JSON.stringify(counts));
      return;
    }
    request.resume().on("end", () => {
      const own = counts[path] ?? { calls: 0, closed: 0 };
      counts[path] = own;
      own.calls += 1;
      response.once("close", () => {
        own.closed += 1;
      });
      behaviours[path.split("/").at(-1) ?? ""]?.(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  provide("receivers", `http://127.0.0.1:${(server.address() as AddressInfo).port}`); // safe: the server listens on a port
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}
