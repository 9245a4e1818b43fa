import { type Bare, startBare } from "./bare.ts";

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

/** Runs it; each path of `origin` is a thread that sockets open. */
export const startFloor = (): Promise<Bare> =>
  startBare([
    { name: "floor", script, durableObjects: { THREAD: { className: "Thread", useSQLite: true } } },
  ]);
