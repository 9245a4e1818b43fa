import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { quiet } from "./runtime.ts";

/** The least that a conversation can be: an object that stores each frame in a row and tells all sockets. */
const script = `import { DurableObject } from "cloudflare:workers";

export class Thread extends DurableObject {
  constructor(state, env) {
    super(state, env);
    state.storage.sql.exec("create table if not exists messages (id integer primary key, frame text)");
  }
  fetch() {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    server.send("{}");
    return new Response(null, { status: 101, webSocket: client });
  }
  webSocketMessage(_, frame) {
    this.ctx.storage.sql.exec("insert into messages (frame) values (?)", frame);
    for (const socket of this.ctx.getWebSockets()) socket.send(frame);
  }
}

export default {
  fetch: (request, { THREAD }) => THREAD.getByName(new URL(request.url).pathname).fetch(request),
};`;

const name = "floor";

/** Runs it on disk, as the service is; each path of `origin` is a thread that sockets open. */
export async function startFloor(): Promise<Readonly<{ origin: URL; stop(): Promise<void> }>> {
  const folder = mkdtempSync(join(tmpdir(), "duka-bench-floor-"));
  const miniflare = new Miniflare({
    ...quiet([]),
    name,
    modules: [{ type: "ESModule", path: "floor.js", contents: script }],
    compatibilityDate: "2026-07-30",
    durableObjects: { THREAD: { className: "Thread", useSQLite: true } },
    durableObjectsPersist: folder,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  });
  await miniflare.ready;
  return {
    origin: await miniflare.unsafeGetDirectURL(name),
    async stop() {
      await miniflare.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
