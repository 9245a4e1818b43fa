import { type BareRuntime, startBareWorkers } from "./bare-workers.ts";

/**
 * The least work for a conversation: an object stores each frame as a row and sends it to all
 * sockets.
 */
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

/**
 * Starts the minimal conversation object. Each path below `origin` is a conversation of its own.
 */
export const startSupportFloor = (): Promise<BareRuntime> =>
  startBareWorkers([
    { name: "floor", script, durableObjects: { THREAD: { className: "Thread", useSQLite: true } } },
  ]);
