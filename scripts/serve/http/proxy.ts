import { once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from "node:http";
import type { Duplex } from "node:stream";
import type { IsTrustedProxy } from "./client-address.ts";
import { forwardedRequest, responseHeaders } from "./forwarded-headers.ts";

export type ProxyServer = Readonly<{
  /** The port on which it listens. */
  port: number;
  /** Passes requests to the Workers at this address from now on; without one they are refused. */
  connect(upstream: URL | null): void;
  /** Accepts no more connections, and waits until the current requests have their responses. */
  close(timeoutMs: number): Promise<void>;
}>;

export type ProxyOptions = Readonly<{
  host: string;
  port: number;
  isTrustedProxy: IsTrustedProxy;
  /** Whether the Workers respond, for `/readyz`. */
  isReady: () => Promise<boolean>;
  /** A request got no response from the Workers, or only a part of one. */
  onError: (error: Error) => void;
}>;

/** workerd closes a connection that is idle for 5 s. Ours must be closed before. */
const idleUpstreamMs = 3_000;
/** Longer than proxies keep idle connections, because they send requests over them at any time. */
const idleClientMs = 75_000;

/**
 * Listens for clients and passes their requests to the Workers, with the client's address. workerd's
 * own socket must not be public: it accepts the internal headers of Miniflare.
 */
export async function startProxy(options: ProxyOptions): Promise<ProxyServer> {
  const agent = new Agent({ keepAlive: true, timeout: idleUpstreamMs, scheduling: "lifo" });
  const webSockets = new Set<Duplex>();
  let upstream: URL | null = null;
  let isClosing = false;

  const serverOptions = {
    keepAliveTimeout: idleClientMs,
    // Other upgrades, such as curl's to HTTP/2, are ignored. Node 24 has this option.
    shouldUpgradeCallback: isWebSocket,
  };
  const server = createServer(serverOptions, (request, response) => {
    if (request.url === "/readyz") void respondReadiness(response);
    else if (upstream === null) respondUnavailable(response);
    else forward(request, response, upstream);
  });

  async function respondReadiness(response: ServerResponse): Promise<void> {
    const isReady = upstream !== null && !isClosing && (await options.isReady());
    sendJson(response, isReady ? 200 : 503, { status: isReady ? "ready" : "unavailable" });
  }

  function forward(request: IncomingMessage, response: ServerResponse, to: URL, isRetry = false) {
    const outgoing = prepare(request, to);
    if (outgoing === null) {
      sendJson(response, 400, { error: "The request needs a valid Host header and a path." });
      return;
    }
    outgoing.on("response", (incoming) => {
      const headers = responseHeaders(incoming.rawHeaders);
      if (isClosing) headers.push("Connection", "close");
      response.writeHead(incoming.statusCode ?? 502, headers);
      incoming.pipe(response);
      // The Worker's response broke off. The client must not take it for a whole one.
      incoming.on("error", () => response.destroy());
    });
    outgoing.on("error", (error) => {
      if (response.destroyed) return; // the client left
      // It has one line in the log when workerd runs again.
      if (!isRefused(error)) options.onError(error);
      if (response.headersSent) response.destroy();
      // The connection was closed while it was idle. Only a read may be sent twice.
      else if (isRead(request) && outgoing.reusedSocket && !isRetry)
        forward(request, response, to, true);
      else respondUnavailable(response);
    });
    response.on("close", () => {
      if (!response.writableFinished) outgoing.destroy();
    });
    if (isRead(request)) outgoing.end();
    else request.pipe(outgoing);
  }

  function prepare(request: IncomingMessage, to: URL, upgrade: readonly string[] = []) {
    const forwarded = forwardedRequest(request, options.isTrustedProxy);
    if (forwarded === null) return null;
    return sendRequest({
      // workerd may be closing an idle connection, and a write must not be sent twice.
      agent: isRead(request) && upgrade.length === 0 ? agent : false,
      ...{ host: to.hostname, port: to.port },
      method: request.method,
      path: forwarded.url,
      headers: [...forwarded.headers, ...upgrade],
    });
  }

  server.on("upgrade", (request, client, head) => {
    const upgrade = ["Connection", "Upgrade", "Upgrade", request.headers.upgrade ?? ""];
    const outgoing = upstream && !isClosing ? prepare(request, upstream, upgrade) : null;
    // Also before the Worker accepts it, because Node counts it as no request of the server any more.
    webSockets.add(client);
    client.on("error", () => client.destroy());
    client.on("close", () => webSockets.delete(client));
    if (outgoing === null) {
      client.end("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n");
      return;
    }
    client.on("close", () => outgoing.destroy());
    outgoing.on("upgrade", (incoming, worker, workerHead) => {
      client.on("close", () => worker.destroy());
      worker.on("close", () => client.destroy()).on("error", () => client.destroy());
      client.write(statusLine(incoming, incoming.rawHeaders));
      client.write(workerHead);
      worker.write(head);
      client.pipe(worker).pipe(client);
    });
    outgoing.on("response", (incoming) => {
      client.write(statusLine(incoming, [...responseHeaders(incoming.rawHeaders), ...closes]));
      incoming.pipe(client);
    });
    outgoing.on("error", () => client.destroy());
    outgoing.end();
  });

  const listening = once(server, "listening"); // rejects when the port is taken
  server.listen(options.port, options.host);
  await listening;
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : options.port,
    connect: (to) => {
      upstream = to;
    },
    async close(timeoutMs) {
      isClosing = true;
      const closed = once(server, "close");
      server.close();
      // WebSockets never end by themselves. Clients connect again.
      const closeWebSockets = () => {
        for (const client of webSockets) client.destroy();
      };
      const deadline = setTimeout(() => {
        server.closeAllConnections();
        closeWebSockets();
      }, timeoutMs);
      closeWebSockets();
      await closed;
      clearTimeout(deadline);
      agent.destroy();
    },
  };
}

const closes = ["Connection", "close"] as const;

const isWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === "websocket";

const isRefused = (error: NodeJS.ErrnoException): boolean => error.code === "ECONNREFUSED";

const isRead = ({ method, headers }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers["transfer-encoding"] === undefined &&
  (headers["content-length"] ?? "0") === "0";

function statusLine({ statusCode, statusMessage }: IncomingMessage, raw: readonly string[]) {
  const lines = raw.flatMap((name, index) => (index % 2 === 0 ? `${name}: ${raw[index + 1]}` : []));
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, "", ""].join("\r\n");
}

/** The refusal of the API for a service that does not respond (docs/contract/conventions.md#error-codes). */
function respondUnavailable(response: ServerResponse): void {
  if (response.destroyed) return;
  response.setHeader("Retry-After", "1");
  const message = "The service is starting or stopping. Send the request again.";
  const error = { code: "SERVICE_UNAVAILABLE", message, retryable: true };
  sendJson(response, 503, { success: false, error });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(JSON.stringify(body));
}
