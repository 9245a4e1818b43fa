import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the receivers of badly-behaved.ts listen. */
    receivers: string;
  }
}

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const answer =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) =>
    response.writeHead(status, headers).end("thank you");

/** Goes on with its answer until nobody listens any more. */
const goingOn =
  (chunk: Buffer, everyMs: number): Behaviour =>
  (_request, response) => {
    response.writeHead(200);
    const more = () => {
      if (response.destroyed) return;
      if (response.write(chunk)) setTimeout(more, everyMs);
      else response.once("drain", more);
    };
    more();
  };

/** Says that more will come, and hangs up. */
const cutOff =
  (status: number): Behaviour =>
  (_request, response) => {
    response.writeHead(status, { "Content-Length": "1000" });
    response.write("thank", () => response.destroy());
  };

const behaviours: Readonly<Record<string, Behaviour>> = {
  fine: answer(200),
  silent: answer(204),
  broken: answer(500),
  gone: answer(410),
  elsewhere: answer(302, { Location: "/fine" }),
  closing: (request) => request.socket.destroy(),
  cut: cutOff(200),
  "broken-cut": cutOff(500),
  gibberish: (request) => request.socket.end("I am a teapot\r\n\r\n"),
  slow: () => {}, // the connection stands, and nothing comes
  dripping: goingOn(Buffer.from("."), 20),
  endless: goingOn(Buffer.alloc(65_536), 0),
};

/** What a receiver saw: calls that came in whole, and connections of them that are closed by now. */
type Seen = { calls: number; closed: number };

/**
 * Receivers of webhooks over real connections, one a path, for the tests inside workerd; `/seen` tells
 * what each has seen. A path may begin with a number of the caller's own, to be a receiver of its own.
 */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const seen: Record<string, Seen> = {};
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (path === "/seen") {
      response.end(JSON.stringify(seen));
      return;
    }
    request.resume().on("end", () => {
      const own = seen[path] ?? { calls: 0, closed: 0 };
      seen[path] = own;
      own.calls += 1;
      response.once("close", () => {
        own.closed += 1;
      });
      behaviours[path.split("/").at(-1) ?? ""]?.(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  provide("receivers", `http://127.0.0.1:${(server.address() as AddressInfo).port}`); // safe: it listens on a port
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}
