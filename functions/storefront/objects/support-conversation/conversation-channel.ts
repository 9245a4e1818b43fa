import { authenticationRepo, hasScope, isSelling } from "../../../../shared/businesses/index.ts";
import { createMeter, type Db, type Meter, openDb } from "../../../../shared/database/index.ts";
import {
  createTtlCache,
  findRefusal,
  type RefusalData,
  stackOf,
  unavailable,
} from "../../../../shared/kernel/index.ts";
import { readConsoleAccess, scopesOfRole } from "../../../../shared/members/index.ts";
import { nextPingAt, type SupportMessage } from "../../../../shared/support/index.ts";
import { log } from "../../../runtime/log.ts";
import type { Alarms } from "../../../runtime/objects/alarms.ts";
import { createSerialQueue } from "../../../runtime/objects/calls.ts";
import { consoleCredentialPrefix } from "../../../runtime/objects/conversation-object.ts";
import { runtime } from "../../../runtime/runtime.ts";
import type { ClientFrame } from "../../../wire/views/support-frames.ts";
import { frames, readFrame } from "./conversation-frames.ts";
import type { ConversationSocket, ConversationSockets } from "./conversation-sockets.ts";

type MessageFrame = Extract<ClientFrame, { type: "message" }>;

type ChannelParts = Readonly<{
  sockets: ConversationSockets;
  alarms: Alarms<"listCopy" | "ping" | "expiry">;
  env: Readonly<{ CORE: D1Database }>;
  /** The business of the conversation; null before it exists. */
  businessId: () => string | null;
  /** Posts a message as the socket's owner. @throws Refusal. */
  post: (sender: ConversationSocket, frame: MessageFrame) => SupportMessage;
}>;

/** Handles the frames and pings of a conversation's sockets (docs/contract/events.md#support-socket). */
export function createConversationChannel({
  sockets,
  alarms,
  env,
  businessId,
  post,
}: ChannelParts) {
  const runInOrder = createSerialQueue();
  const isValid = (keyHash: string, meter: Meter) =>
    isKeyValid(env, { keyHash, businessId: businessId() }, meter);
  /** A failing database must not close anybody's socket. */
  const isKeyValidOrUnknown = (keyHash: string, meter: Meter) =>
    isValid(keyHash, meter).catch(() => true);

  async function closeRevoked(meter: Meter): Promise<void> {
    const hashes = [...new Set(sockets.all().map(({ keyHash }) => keyHash))];
    const validity = new Map(
      await Promise.all(
        hashes.map(async (hash) => [hash, await isKeyValidOrUnknown(hash, meter)] as const),
      ),
    );
    for (const connection of sockets.all())
      if (validity.get(connection.keyHash) === false) sockets.close(connection, "notAuthorised");
  }

  /**
   * Posts a message if the sender's API key is still valid. First closes all sockets whose key was
   * revoked. The queue keeps messages in order while the keys are looked up.
   */
  async function postFrame(sender: ConversationSocket, frame: MessageFrame): Promise<void> {
    // Not reported, because a frame has no response with a Server-Timing header.
    const meter = createMeter();
    await runInOrder(async () => {
      try {
        if (!(await isValid(sender.keyHash, meter))) return sockets.close(sender, "notAuthorised");
        await closeRevoked(meter);
        if (sender.pausedAt !== null) throw unavailable("A login is in progress. Send it again.");
        post(sender, frame);
      } catch (error) {
        sockets.send(sender, frames.error(toRefusalData(error), frame.client_id));
      }
    });
  }

  return {
    /** Closes the sockets whose API key was revoked. Call this before a message is posted. */
    closeRevoked,

    isKeyValid: (keyHash: string): Promise<boolean> => isKeyValidOrUnknown(keyHash, createMeter()),

    async receive(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
      const sender = sockets.admitFrame(socket, data);
      if (sender === null) return;
      const frame = readFrame(data);
      switch (frame.type) {
        case "pong":
          sockets.recordPong(sender);
          return;
        case "ping":
          return sockets.send(sockets.recordPong(sender), frames.pong);
        case "typing":
          if (sender.pausedAt === null) sockets.broadcast(frames.typing(sender.role), socket);
          return;
        case "message":
          return postFrame(sender, frame);
        case "unreadable":
          return sockets.send(sender, frames.error(frame.refusal, frame.clientId));
      }
    },

    /** Handles a socket that the client closed. */
    leave(socket: WebSocket): void {
      sockets.markClosed(socket);
      if (sockets.all().length === 0) alarms.clear("ping");
    },

    /** Schedules the next ping of all sockets, unless one is scheduled. */
    schedulePing(): void {
      if (alarms.dueAt("ping") !== null) return;
      const pingAt = nextPingAt(runtime.now(), []);
      // At the time of an alarm that is set anyway, which then need not be stored again.
      alarms.set("ping", Math.min(pingAt, alarms.dueAt("listCopy") ?? pingAt));
    },

    /**
     * Closes unresponsive sockets and sockets whose API key was revoked, and pings the others.
     *
     * @param now when the alarm began.
     */
    async ping(now: number): Promise<void> {
      const lastPongTimes = sockets.closeUnresponsive();
      await closeRevoked(createMeter());
      sockets.broadcast(frames.ping(now));
      if (sockets.all().length > 0) alarms.set("ping", nextPingAt(now, lastPongTimes));
      else alarms.clear("ping");
    },
  };
}

/**
 * Valid API keys, for all conversations in this isolate. Entries live for the cache's default of 5
 * s.
 */
const validKeys = createTtlCache<true>(1_000);

/**
 * Whether the key with this digest still opens a socket of the business: it is not revoked, and the
 * business not suspended or closed for its owner. Takes at most one round trip.
 */
async function isKeyValid(
  { CORE }: Readonly<{ CORE: D1Database }>,
  { keyHash, businessId }: Readonly<{ keyHash: string; businessId: string | null }>,
  meter: Meter,
): Promise<boolean> {
  const cacheKey = `${keyHash} ${businessId}`;
  const isValid = await validKeys.get(cacheKey, runtime.now(), async () => {
    if (keyHash.startsWith(consoleCredentialPrefix)) {
      const tokenHash = keyHash.slice(consoleCredentialPrefix.length);
      return isAgentLogin(openDb(CORE, meter), { tokenHash, businessId: businessId ?? "" });
    }
    const found = await authenticationRepo(openDb(CORE, meter)).findByKey(keyHash, businessId);
    if (!found?.business) return null;
    const { key, business } = found;
    const isAdmitted =
      key.kind === "publishable" ? isSelling(business) : business.status.type !== "closed";
    return isAdmitted ? true : null;
  });
  return isValid !== null;
}

/** Whether the login has not ended, and is of a member who may still write to shoppers. */
async function isAgentLogin(
  core: Db,
  login: Readonly<{ tokenHash: string; businessId: string }>,
): Promise<true | null> {
  const access = await readConsoleAccess(core, { ...login, now: runtime.now() });
  const { member, business } = access?.membership ?? {};
  const isAdmitted =
    member !== undefined &&
    hasScope(scopesOfRole(member.role), "support:write") &&
    business?.status.type !== "closed";
  return isAdmitted ? true : null;
}

function toRefusalData(error: unknown): RefusalData {
  const refusal = findRefusal(error);
  if (refusal) return refusal.toData();
  log("error", "conversation frame failed", { stack: stackOf(error) });
  return unavailable("An internal error occurred. Try again.").toData();
}
