import { Agent, type IncomingHttpHeaders, request } from "node:http";

export type VisitorRequest = Readonly<{
  method?: "GET" | "POST" | "PUT";
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}>;

/** The D1 round trips and Durable Object calls of one request, from its Server-Timing header. */
export type RoundTrips = { d1: number; do: number };

/** A shopper on one keep-alive connection, with the cookie of one session. */
export type Visitor = Readonly<{
  /**
   * Sends a request and returns the text of the response.
   *
   * @throws when the status of the response is not 2xx.
   */
  send(request: VisitorRequest): Promise<string>;
  /** Sends a request as `fetch` does, over the same connection. Keeps no cookie. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Drops the cookie, so that the next call starts a new session. */
  startNewSession(): void;
  /** Returns the most round trips that a request needed since the last call of `takeRoundTrips`. */
  takeRoundTrips(): RoundTrips;
  disconnect(): void;
}>;

type Fields = Readonly<Record<string, string>>;

/** Headers of a client with this IP address, for workerd alone and behind `npm run serve`. */
export const addressHeaders = (address: string) =>
  ({ "CF-Connecting-IP": address, "X-Forwarded-For": address }) as const;

export function createVisitor(origin: URL, headers: Fields): Visitor {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let cookie: string | undefined;
  let maxRoundTrips: RoundTrips = { d1: 0, do: 0 };

  function recordHeaders({
    "set-cookie": set,
    "server-timing": timing,
  }: IncomingHttpHeaders): void {
    if (set?.[0] !== undefined) cookie = set[0].slice(0, set[0].indexOf(";"));
    if (typeof timing !== "string") return;
    maxRoundTrips = {
      d1: Math.max(maxRoundTrips.d1, parseCount(timing, "d1")),
      do: Math.max(maxRoundTrips.do, parseCount(timing, "do")),
    };
  }

  type Exchange = Readonly<{ status: number; headers: IncomingHttpHeaders; text: string }>;

  const exchange = (
    { method, path, headers: own }: Readonly<{ method: string; path: string; headers: Fields }>,
    payload: string | undefined,
  ): Promise<Exchange> =>
    new Promise((resolve, reject) => {
      const length = payload !== undefined && { "Content-Length": Buffer.byteLength(payload) };
      const options = {
        agent,
        host: origin.hostname,
        port: origin.port,
        method,
        path,
        headers: { ...headers, ...own, ...length },
      };
      const outgoing = request(options, (response) => {
        recordHeaders(response.headers);
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.once("error", reject).once("end", () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      });
      outgoing.once("error", reject).end(payload);
    });

  async function send({
    method = "GET",
    path,
    headers: own,
    body,
  }: VisitorRequest): Promise<string> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const type = payload !== undefined && { "Content-Type": "application/json" };
    const session = cookie !== undefined && { Cookie: cookie };
    const { status, text } = await exchange(
      { method, path, headers: { ...session, ...type, ...own } },
      payload,
    );
    if (status >= 200 && status < 300) return text;
    throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
  }

  async function fetchLikeClient(url: string, init: RequestInit): Promise<Response> {
    const { method = "GET", body } = init;
    const own = Object.fromEntries(new Headers(init.headers));
    const path = url.slice(origin.origin.length);
    const payload = typeof body === "string" ? body : undefined;
    const { status, headers, text } = await exchange({ method, path, headers: own }, payload);
    const entries = Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return new Response(text, { status, headers: entries });
  }

  return {
    send,
    fetch: fetchLikeClient,
    startNewSession() {
      cookie = undefined;
    },
    takeRoundTrips() {
      const taken = maxRoundTrips;
      maxRoundTrips = { d1: 0, do: 0 };
      return taken;
    },
    disconnect: () => agent.destroy(),
  };
}

const parseCount = (timing: string, name: string): number =>
  Number(new RegExp(`\\b${name};desc="(\\d+)"`).exec(timing)?.[1] ?? 0);
