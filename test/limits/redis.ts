import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A Redis reply; an error reply is thrown. */
export type RedisReply = number | string | null | readonly RedisReply[];

export type Redis = Readonly<{
  command: (parts: readonly string[]) => Promise<RedisReply>;
  stop: () => Promise<void>;
}>;

/** Whether this machine has Debian's `redis-server`. */
export const hasRedis = (): boolean => spawnSync("redis-server", ["--version"]).status === 0;

/** Starts a redis-server that listens on a file of its own, without persistence. */
export async function startRedis(): Promise<Redis> {
  const folder = mkdtempSync(join(tmpdir(), "duka-redis-"));
  const path = join(folder, "socket");
  const options = { port: "0", unixsocket: path, save: "", appendonly: "no" };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn("redis-server", args, { stdio: "ignore" });
  const kill = () => server.kill("SIGKILL");
  process.once("exit", kill);
  const socket = await connectWhenReady(path, server);
  const command = createCommandClient(socket);
  return {
    command,
    async stop() {
      process.off("exit", kill);
      socket.destroy();
      server.kill();
      if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function connectWhenReady(path: string, server: ChildProcess): Promise<Socket> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return socket;
  } catch (error) {
    if (server.exitCode !== null) throw error;
    await new Promise((resolve) => setTimeout(resolve, 20)); // the server is starting
    return connectWhenReady(path, server);
  }
}

/** Sends RESP commands; replies arrive in order. */
function createCommandClient(socket: Socket): Redis["command"] {
  const waiting: { resolve: (reply: RedisReply) => void; reject: (error: Error) => void }[] = [];
  let bytes = Buffer.alloc(0);
  socket.on("error", (error) => {
    for (const { reject } of waiting.splice(0)) reject(error);
  });
  socket.on("data", (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let read = readReply(bytes, 0); read; read = readReply(bytes, 0)) {
      bytes = bytes.subarray(read.end);
      const next = waiting.shift();
      if (read.reply instanceof Error) next?.reject(read.reply);
      else next?.resolve(read.reply);
    }
  });
  return (parts) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      const bulks = parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
      socket.write(`*${parts.length}\r\n${bulks.join("")}`);
    });
}

type ParsedReply<T> = Readonly<{ reply: T; end: number }>;

/** Parses the reply at `at`; null while it is incomplete. */
function readReply(bytes: Buffer, at: number): ParsedReply<RedisReply | Error> | null {
  const lineEnd = bytes.indexOf("\r\n", at);
  if (lineEnd < 0) return null;
  const line = bytes.toString("utf8", at + 1, lineEnd);
  const end = lineEnd + 2;
  switch (bytes.toString("latin1", at, at + 1)) {
    case "+":
      return { reply: line, end };
    case "-":
      return { reply: new Error(line), end };
    case ":":
      return { reply: Number(line), end };
    case "$": {
      const length = Number(line);
      if (length < 0) return { reply: null, end };
      if (bytes.length < end + length + 2) return null;
      return { reply: bytes.toString("utf8", end, end + length), end: end + length + 2 };
    }
    case "*":
      return readList(bytes, { count: Number(line), end });
    default:
      throw new Error(`Not RESP: ${line}`);
  }
}

function readList(
  bytes: Buffer,
  { count, end }: { count: number; end: number },
): ParsedReply<RedisReply | Error> | null {
  const list: RedisReply[] = [];
  let next = end;
  for (let index = 0; index < count; index += 1) {
    const read = readReply(bytes, next);
    if (!read) return null;
    if (read.reply instanceof Error) return read;
    list.push(read.reply);
    next = read.end;
  }
  return { reply: list, end: next };
}
