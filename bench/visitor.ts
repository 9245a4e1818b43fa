import { Agent, type IncomingHttpHeaders, request } from "node:http";

export type VisitorRequest = Readonly<{
  method?: "GET" | "POST";
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
  /** Drops the cookie, so that the next call starts a new session. */
  startNewSession(): void;
  /** Returns the most round trips that a request needed since the last call of `takeRoundTrips`. */
  takeRoundTrips(): RoundTrips;
  disconnect(): void;
}>;

export function createVisitor(origin: URL, headers: Readonly<Record<string, string>>): Visitor {
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

  const send = ({
    method = "GET",
    path,
    headers: extraHeaders,
    body,
  }: VisitorRequest): Promise<string> =>
    new Promise((resolve, reject) => {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const options = {
        agent,
        host: origin.hostname,
        port: origin.port,
        method,
        path,
        headers: {
          ...headers,
          ...(cookie !== undefined && { Cookie: cookie }),
          ...(payload !== undefined && {
            "Content-Type": "application/json",
            "Content-Length": Buffer.byteLength(payload),
          }),
          ...extraHeaders,
        },
      };
      const outgoing = request(options, (response) => {
        recordHeaders(response.headers);
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.once("error", reject).once("end", () => {
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(text);
          else reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`));
        });
      });
      outgoing.once("error", reject).end(payload);
    });

  return {
    send,
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
