import {
  createMeter,
  type Meter,
  refusalIn,
  stackOf,
  unavailable,
} from "../../../../shared/kernel/index.ts";
import { type Message, nextPingAt } from "../../../../shared/support/index.ts";
import { log } from "../../../runtime/log.ts";
import type { Alarms } from "../../../runtime/objects/alarms.ts";
import { serial } from "../../../runtime/objects/serial-queue.ts";
import { chance } from "../../../runtime/runtime.ts";
import { type ClientFrame, frames, readFrame } from "./conversation-frames.ts";
import { keyStands } from "./conversation-keys.ts";
import type { ConversationSockets, Peer } from "./conversation-sockets.ts";

type MessageFrame = Extract<ClientFrame, { type: "message" }>;

type Parts = Readonly<{
  sockets: ConversationSockets;
  alarms: Alarms<"ping">;
  env: Readonly<{ CORE: D1Database }>;
  /** Says something for whoever's socket it is. @throws Refusal. */
  post: (peer: Peer, frame: MessageFrame) => Message;
}>;

/** What goes over a conversation's sockets (interface.md, Support WebSocket; completions.md 10). */
export function conversationChannel({ sockets, alarms, env, post }: Parts) {
  const inTurn = serial();
  /** A database that is down ends nobody's conversation. */
  const standsOrUnknown = (keyHash: string, meter: Meter) =>
    keyStands(env, keyHash, meter).catch(() => true);

  /** Ends the sockets whose keys were revoked. */
  async function endRevoked(meter: Meter): Promise<void> {
    const hashes = [...new Set(sockets.all().map(({ keyHash }) => keyHash))];
    const standing = new Map(
      await Promise.all(
        hashes.map(async (hash) => [hash, await standsOrUnknown(hash, meter)] as const),
      ),
    );
    for (const peer of sockets.all())
      if (standing.get(peer.keyHash) === false) sockets.end(peer, "notAuthorised");
  }

  /**
   * A message of somebody whose key still stands, to everybody whose key does; messages keep their
   * order while keys are looked up.
   */
  async function say(peer: Peer, frame: MessageFrame): Promise<void> {
    const meter = createMeter(); // nobody waits for an answer
    await inTurn(async () => {
      try {
        if (!(await keyStands(env, peer.keyHash, meter))) return sockets.end(peer, "notAuthorised");
        await endRevoked(meter);
        post(peer, frame);
      } catch (error) {
        sockets.send(peer, frames.error(asRefusal(error), frame.client_id));
      }
    });
  }

  return {
    /** Before somebody says something by a call: a revoked key hears it no more (completions.md 2). */
    endRevoked,

    async receive(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
      const peer = sockets.admit(socket, data);
      if (peer === null) return;
      const frame = readFrame(data);
      switch (frame.type) {
        case "pong":
          sockets.heard(peer);
          return;
        case "ping":
          return sockets.send(sockets.heard(peer), frames.pong);
        case "typing":
          return sockets.broadcast(frames.typing(peer.role), socket);
        case "message":
          return say(peer, frame);
        case "unreadable":
          return sockets.send(peer, frames.error(frame.refusal, frame.clientId));
      }
    },

    /** After the last socket nobody has to be pinged. */
    leave(socket: WebSocket): void {
      sockets.gone(socket);
      if (sockets.all().length === 0) alarms.clear("ping");
    },

    /** Plans the next ping while there is anybody to ping; a lone alarm wakes the object for all. */
    watch(): void {
      if (alarms.at("ping") === null) alarms.set("ping", nextPingAt(chance.now(), []));
    },

    /** Ends the silent and those whose keys were revoked, and pings the others. */
    async ping(): Promise<void> {
      const heard = sockets.endSilent();
      await endRevoked(createMeter());
      const now = chance.now();
      sockets.broadcast(frames.ping(now));
      if (sockets.all().length > 0) alarms.set("ping", nextPingAt(now, heard));
      else alarms.clear("ping");
    },
  };
}

function asRefusal(error: unknown) {
  const refusal = refusalIn(error);
  if (refusal) return refusal.toData();
  log("error", "conversation frame failed", { stack: stackOf(error) });
  return unavailable("Something failed on our side; try again.").toData();
}
