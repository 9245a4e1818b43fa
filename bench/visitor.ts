import { Agent, type IncomingHttpHeaders, request } from "node:http";

export type Call = Readonly<{
  method?: "GET" | "POST";
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}>;

/** Round trips as Server-Timing tells them. */
export type RoundTrips = { d1: number; do: number };

/** A shopper on one kept-alive connection, who keeps the session's cookie. */
export type Visitor = Readonly<{
  /** The answer's text; throws whatever is not 2xx. */
  call(call: Call): Promise<string>;
  /** Goes on as somebody new. */
  forget(): void;
  /** The most that a call took since the last time this was asked. */
  takeRoundTrips(): RoundTrips;
  leave(): void;
}>;

export function visitorAt(origin: URL, headers: Readonly<Record<string, string>>): Visitor {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let cookie: string | undefined;
  let most: RoundTrips = { d1: 0, do: 0 };

  function note({ "set-cookie": set, "server-timing": timing }: IncomingHttpHeaders): void {
    if (set?.[0] !== undefined) cookie = set[0].slice(0, set[0].indexOf(";"));
    if (typeof timing !== "string") return;
    most = {
      d1: Math.max(most.d1, countOf(timing, "d1")),
      do: Math.max(most.do, countOf(timing, "do")),
    };
  }

  const call = ({ method = "GET", path, headers: own, body }: Call): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const options = {
        agent,
        host: origin.hostname,
        port: origin.port,
        method,
        path,
        headers: {
          ...headers,
          ...(cookie !== undefined && { Cookie: cookie }),
          ...(sent !== undefined && {
            "Content-Type": "application/json",
            "Content-Length": Buffer.byteLength(sent),
          }),
          ...own,
        },
      };
      const asked = request(options, (answer) => {
        note(answer.headers);
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        answer.once("error", reject).once("end", () => {
          const status = answer.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(text);
          else reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`));
        });
      });
      asked.once("error", reject).end(sent);
    });

  return {
    call,
    forget() {
      cookie = undefined;
    },
    takeRoundTrips() {
      const taken = most;
      most = { d1: 0, do: 0 };
      return taken;
    },
    leave: () => agent.destroy(),
  };
}

const countOf = (timing: string, name: string): number =>
  Number(new RegExp(`\\b${name};desc="(\\d+)"`).exec(timing)?.[1] ?? 0);
