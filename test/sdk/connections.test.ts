import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type Business,
  type Connection,
  NotFoundError,
  type Storefront,
  UnauthorizedError,
} from "../../sdk/src/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { holdListSyncs } from "../support/hold-list-syncs.ts";
import { testCode } from "../support/sessions.ts";
import { waitUntil } from "../support/sockets.ts";
import { createBusiness } from "../support/world.ts";
import { createFetch, createMerchant, createShopper, createStore } from "./create-clients.ts";

type Message = Readonly<{ content: string; created_at: string; sender_type: string }>;

const phone = "+233241234567";

let created: CreatedBusiness;
let shop: Storefront;
let business: Business;
let threadId: string;
let connections: Connection<unknown>[];
let opened: number;

holdListSyncs();

beforeEach(async () => {
  vi.spyOn(Math, "random").mockReturnValue(0); // the shortest waits
  connections = [];
  created = await createBusiness();
  shop = createShopper(created, { openSocket });
  business = createMerchant(created, { openSocket });
  opened = 0;
  const { data } = await shop.support.open();
  threadId = data.conversation.id;
});

afterEach(() => {
  for (const connection of connections) connection.close();
});

/** Opens a socket through the whole Worker, as a Worker does. */
async function openSocket(url: string, protocols: string[]): Promise<WebSocket> {
  opened += 1;
  const { webSocket, status } = await exports.default.fetch(url.replace("wss:", "https:"), {
    headers: {
      Upgrade: "websocket",
      ...(protocols.length > 0 && { "Sec-WebSocket-Protocol": protocols.join(", ") }),
    },
  });
  if (!webSocket) throw new Error(`The service answered with status ${status}.`);
  webSocket.accept();
  return webSocket;
}

/** Collects the messages of a connection until it ends. */
function listen(connection: Connection<Message>) {
  connections.push(connection);
  const contents: string[] = [];
  const ended = (async () => {
    for await (const { content } of connection) contents.push(content);
  })();
  ended.catch(() => undefined); // a test that expects an error awaits it later
  return { contents, ended, close: connection.close };
}

const object = () => env.SUPPORT_CONVERSATION.getByName(threadId);
const countSockets = () => runInDurableObject(object(), (_, state) => state.getWebSockets().length);
const waitForSocket = () => waitUntil(async () => (await countSockets()) > 0);

/** The service ends all sockets of the conversation. */
const dropSockets = () =>
  runInDurableObject(object(), (_, state) => {
    for (const socket of state.getWebSockets()) socket.close(1011, "dropped");
  });

const newMessage = (content: string) => ({ content, client_id: crypto.randomUUID() });
const ask = (content: string) => shop.support.sendMessage(newMessage(content));
const reply = (content: string) =>
  business.conversations.sendMessage(threadId, newMessage(content));

describe.each(["a shopper", "an agent"])("the connection of %s", (who) => {
  const connect = (input?: { after?: string }) =>
    who === "a shopper"
      ? shop.support.connect(input)
      : business.conversations.connect(threadId, input);

  it("brings what both sides say from now on", async () => {
    await ask("Before");
    const { contents } = listen(connect());
    await waitForSocket();
    await ask("Where is my order?");
    await reply("On its way");
    await waitUntil(() => contents.length === 2);
    expect(contents).toEqual(["Where is my order?", "On its way"]);
  });

  it("begins with what followed a time", async () => {
    const first = await ask("One");
    await ask("Two");
    const { contents } = listen(connect({ after: first.data.created_at }));
    await waitUntil(() => contents.length === 1);
    await reply("Three");
    await waitUntil(() => contents.length === 2);
    expect(contents).toEqual(["Two", "Three"]);
  });

  it("is opened again when it is lost, and brings what was said meanwhile once and in order", async () => {
    const { contents } = listen(connect());
    await waitForSocket();
    await ask("One");
    await waitUntil(() => contents.length === 1);
    await dropSockets();
    await reply("Two");
    await ask("Three");
    await waitUntil(() => contents.length === 3);
    await reply("Four");
    await waitUntil(() => contents.length === 4);
    expect(contents).toEqual(["One", "Two", "Three", "Four"]);
  });

  it("ends with close, which closes the socket", async () => {
    const { ended, close } = listen(connect());
    await waitForSocket();
    close();
    await ended;
    await waitUntil(async () => (await countSockets()) === 0);
  });

  it("ends with close in the middle of what was missed", async () => {
    const first = await ask("One");
    for (const content of ["Two", "Three"]) await reply(content);
    const connection = connect({ after: first.data.created_at });
    const contents: string[] = [];
    for await (const { content } of connection) {
      contents.push(content);
      connection.close();
    }
    expect(contents).toEqual(["Two"]);
  });

  it("closes its socket when the loop ends", async () => {
    const connection = connect({ after: "2026-01-01T00:00:00Z" });
    await ask("One");
    for await (const { content } of connection) {
      expect(content).toBe("One");
      break;
    }
    await waitUntil(async () => (await countSockets()) === 0);
  });
});

describe("a shopper's connection", () => {
  it("brings a message once that arrives while the missed ones are read", async () => {
    const store = createStore();
    const owner = createShopper(created, { session: store });
    ({ id: threadId } = (await owner.support.open()).data.conversation);
    const send = createFetch();
    let reads = 0;
    const listener = createShopper(created, {
      ...{ openSocket, session: createStore(store.text()) },
      fetch: async (url, init) => {
        reads += 1;
        if (reads === 1) await reply("Meanwhile");
        return send(url, init);
      },
    });
    const { contents } = listen(listener.support.connect());
    await waitUntil(() => contents.length === 1);
    await reply("Later");
    await waitUntil(() => contents.length === 2);
    expect(contents).toEqual(["Meanwhile", "Later"]);
  });

  it("continues after a login, with the same socket", async () => {
    const { contents } = listen(shop.support.connect());
    await waitForSocket();
    await ask("One");
    await waitUntil(() => contents.length === 1);
    await shop.auth.requestOtp({ contact: phone });
    await shop.auth.verifyOtp({ contact: phone, otp_code: testCode });
    await reply("Two");
    await waitUntil(() => contents.length === 2);
    expect(contents).toEqual(["One", "Two"]);
    expect(opened).toBe(1);
  });

  it("continues after a login of another client with the same store", async () => {
    const store = createStore();
    const tab = createShopper(created, {
      session: store,
      openSocket,
    });
    ({ id: threadId } = (await tab.support.open()).data.conversation);
    const { contents } = listen(tab.support.connect());
    await waitForSocket();
    const secondTab = createShopper(created, { session: store });
    await secondTab.auth.requestOtp({ contact: phone });
    await secondTab.auth.verifyOtp({ contact: phone, otp_code: testCode });
    await reply("Welcome back");
    await waitUntil(() => contents.length === 1);
    expect(contents).toEqual(["Welcome back"]);
    expect(opened).toBe(2);
  });

  it("throws when the service refuses the session three times in a row", async () => {
    const store = createStore();
    const owner = createShopper(created, { session: store });
    await owner.support.open();
    const outdated = createStore(store.text());
    await owner.auth.requestOtp({ contact: phone });
    await owner.auth.verifyOtp({ contact: phone, otp_code: testCode });
    const other = createShopper(created, {
      session: outdated,
      openSocket,
    });
    const { ended } = listen(other.support.connect());
    await expect(ended).rejects.toThrow(UnauthorizedError);
    expect(opened).toBe(3);
  });
});

describe("an agent's connection", () => {
  it("throws at once for a conversation that does not exist", async () => {
    const { ended } = listen(business.conversations.connect(`${threadId.slice(0, -4)}zzzz`));
    await expect(ended).rejects.toThrow(NotFoundError);
  });

  it("throws when its key is refused", async () => {
    const keys = { ...created.keys, secret: "sk_test_unknown" };
    const other = createMerchant({ ...created, keys }, { openSocket });
    const { ended } = listen(other.conversations.connect(threadId));
    await expect(ended).rejects.toThrow(UnauthorizedError);
  });
});
