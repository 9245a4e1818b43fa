import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Redis, RedisReply } from "./redis.ts";

const Command = z.array(z.union([z.string(), z.number(), z.boolean()]).transform(String)).min(1);
type Command = z.infer<typeof Command>;

export type Upstash = Readonly<{
  url: string;
  token: string;
  /** The number of requests so far. */
  calls: () => number;
  /** Delays later responses. */
  slowDown: (ms: number) => void;
  stop: () => Promise<void>;
}>;

/**
 * Serves Upstash's REST protocol in front of a Redis: a command as a JSON array in `POST /`, lists
 * in `/pipeline` and `/multi-exec`; responses are `{result}` or `{error}`, with strings in base64
 * if requested.
 */
export async function startUpstash(redis: Redis): Promise<Upstash> {
  const token = "token-for-tests";
  let calls = 0;
  let waitMs = 0;
  const server = createServer(async (request, response) => {
    calls += 1;
    await pause(waitMs, null, { ref: false });
    if (request.destroyed) return; // the client has timed out
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    const { status, body } = isKnown
      ? await respond(redis, request)
      : { status: 401, body: { error: "WRONGPASS invalid or missing auth token" } };
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port is free");
  return {
    url: `http://127.0.0.1:${address.port}`,
    token,
    calls: () => calls,
    slowDown: (ms) => {
      waitMs = ms;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

type UpstashResponse = Readonly<{ status: number; body: unknown }>;

async function respond(redis: Redis, request: IncomingMessage): Promise<UpstashResponse> {
  const encode =
    request.headers["upstash-encoding"] === "base64" ? inBase64 : (reply: RedisReply) => reply;
  const run = async (command: Command) => {
    try {
      return { result: encode(await redis.command(command)) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };
  const body: unknown = JSON.parse(await readText(request));
  switch (request.url) {
    case "/": {
      const answer = await run(Command.parse(body));
      return { status: "error" in answer ? 400 : 200, body: answer };
    }
    case "/pipeline":
      return { status: 200, body: await Promise.all(z.array(Command).parse(body).map(run)) };
    case "/multi-exec": {
      const commands = z.array(Command).parse(body);
      const answers = await Promise.all([["MULTI"], ...commands, ["EXEC"]].map(run));
      const results = answers.at(-1);
      const list = results && "result" in results ? results.result : null;
      return {
        status: 200,
        body: Array.isArray(list) ? list.map((result) => ({ result })) : results,
      };
    }
    default:
      return { status: 404, body: { error: "ERR no such path" } };
  }
}

const inBase64 = (reply: RedisReply): RedisReply => {
  if (typeof reply === "string") return Buffer.from(reply).toString("base64");
  return Array.isArray(reply) ? reply.map(inBase64) : reply;
};

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
