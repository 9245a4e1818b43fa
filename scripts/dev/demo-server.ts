import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Demo } from "../seed/demo.ts";
import { createMailbox, mailboxPage, parseCaughtMessage } from "./mailbox.ts";

type DemoServer = Readonly<{ url: string; port: number; publish(demo: Demo): void }>;

/**
 * Serves the demo shops' keys to the local front Worker, which shows them in the API reference. They
 * are not a file beside the page, because `npm run deploy` would upload it. It also receives the
 * demo shops' webhooks, and fails for one of them. It keeps the messages that are not sent in
 * development, for `/dev/messages`.
 *
 * @param preferredPort where the webhooks of an earlier start are sent to; 0 for any port.
 */
export async function startDemoServer(preferredPort = 0): Promise<DemoServer> {
  let published: Demo | null = null;
  const mailbox = createMailbox();
  const server = createServer(async (request, response) => {
    const { method, headers, url: path = "" } = request;
    if (method === "POST" && path === "/messages") {
      const message = parseCaughtMessage(await readText(request));
      const isKept = message !== null && mailbox.add(message);
      response.writeHead(message === null ? 400 : isKept ? 204 : 422).end();
      return;
    }
    if (method === "POST") {
      response.writeHead(path === "/received" ? 204 : 500).end();
      return;
    }
    // A page of another site can let its own name lead here, and would be of the same origin then.
    const isOwnHost = headers.host === new URL(url).host;
    if (isOwnHost && path.startsWith("/messages")) {
      serveMailbox(mailbox, request, response);
      return;
    }
    const keys = isOwnHost ? published : null;
    response.writeHead(keys ? 200 : 404, { "Content-Type": "application/json" });
    response.end(keys && JSON.stringify(keys));
  });
  await listen(server, preferredPort).catch(() => listen(server, 0));
  const { port } = server.address() as AddressInfo; // safe: it listens on a port
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    port,
    publish: (demo) => {
      published = demo;
    },
  };
}

/** The list as JSON or as a page, and at `/messages/<id>` the HTML of an e-mail. */
function serveMailbox(
  mailbox: ReturnType<typeof createMailbox>,
  { url: path = "", headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const id = decodeURIComponent(path.replace(/^\/messages\/?/, ""));
  const isJson = headers.accept?.includes("application/json") ?? false;
  const message = mailbox.find(id);
  const [type, body] =
    id !== ""
      ? ["text/html", message?.html]
      : isJson
        ? ["application/json", JSON.stringify(mailbox.list())]
        : ["text/html", mailboxPage(mailbox.list())];
  response.writeHead(body ? 200 : 404, { "Content-Type": `${type}; charset=utf-8` });
  response.end(body ?? "");
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function listen(server: Server, port: number): Promise<void> {
  const listening = once(server, "listening"); // rejects when the port is taken
  server.listen(port, "127.0.0.1").unref();
  await listening;
}
