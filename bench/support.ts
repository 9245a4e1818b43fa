import { record, text } from "../scripts/seed/api.ts";
import { inParallel } from "./in-parallel.ts";
import { load, type Measured, percentile, perSecond, type Unit } from "./load.ts";
import { openBusiness } from "./shop.ts";
import { startFloor } from "./support-floor.ts";
import { table } from "./table.ts";

/** BENCH_CONVERSATIONS (1,000): each with a shopper's and an agent's socket. */
const conversations = Number(process.env.BENCH_CONVERSATIONS ?? 1_000);
const seconds = Number(process.env.BENCH_SECONDS ?? 2.5);
/** Shoppers who speak at the same time; each message is waited for at the agent's socket. */
const speakers = [1, 16, 64];
const patienceMs = 10_000;
/** A key's limits are remembered for 5 s: until then those of before its business had none. */
const rememberedMs = 5_500;

type Shop = Awaited<ReturnType<typeof openBusiness>>;

type Conversation = Readonly<{
  /** Sends a message by the shopper's socket, until the agent's has it. */
  speak(): Promise<void>;
  hangUp(): void;
}>;

/**
 * What the support chat carries while many conversations are open, and beside it what the machine
 * carries for the least that a conversation can be.
 */
export async function supportTable(origin: URL): Promise<string> {
  const shop = await openBusiness(origin);
  await new Promise((resolve) => setTimeout(resolve, rememberedMs));
  const ours = await carried(() => converse(origin, shop));
  const floor = await startFloor();
  const least = await carried((number) => threadAt(floor.origin, number)).finally(floor.stop);
  const rows = speakers.flatMap((count, at) => {
    const [measured, bare] = [ours.measured[at], least.measured[at]];
    if (!measured || !bare) return [];
    const share = `${((100 * perSecond(measured)) / perSecond(bare)).toFixed(0)} %`;
    return [
      rowOf(`messages, ${count} at once, sent to received`, measured, share),
      rowOf(floorName, bare, ""),
    ];
  });
  const head = [`support chat, ${conversations} conversations of 2 sockets`];
  return `${table([...head, "per s", "p50 ms", "p99 ms", "errors", "of floor"], rows)}
opened: ${ours.opened.toFixed(0)} conversations per second, with both their sockets; ${least.opened.toFixed(0)} of the floor's
floor: an object that stores a row for each frame and sends it to its two sockets, through one bare Worker`;
}

const floorName = "  the floor's";

const rowOf = (name: string, measured: Measured, share: string): string[] => [
  name,
  perSecond(measured).toFixed(0),
  percentile(measured, 0.5).toFixed(1),
  percentile(measured, 0.99).toFixed(1),
  String(measured.errors.length),
  share,
];

/** Opens all conversations; then so many speak in them at once. */
async function carried(open: (number: number) => Promise<Conversation>) {
  const started = performance.now();
  const all = await inParallel(conversations, open);
  const opened = (conversations / (performance.now() - started)) * 1_000;
  const measured: Measured[] = [];
  for (const count of speakers) measured.push(await spoken(all, count));
  for (const { hangUp } of all) hangUp();
  return { opened, measured };
}

/** Every speaker goes through conversations of their own in turn: no socket is sent too much. */
function spoken(all: readonly Conversation[], most: number): Promise<Measured> {
  const count = Math.min(most, all.length);
  const units = Array.from({ length: count }, (_, speaker): Unit => {
    const own = all.filter((_, index) => index % count === speaker);
    let turn = 0;
    return async () => {
      await own[turn % own.length]?.speak();
      turn += 1;
    };
  });
  return load([], units, seconds);
}

async function converse(origin: URL, shop: Shop): Promise<Conversation> {
  const path = `${origin.origin}/api/v1/support/conversation`;
  const opened = await fetch(path, {
    method: "POST",
    headers: { "X-Public-Key": shop.publishableKey },
  });
  const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const page = record(record(await opened.json()).data);
  const threadId = text(record(page.conversation).id);
  const sockets = origin.origin.replace("http", "ws");
  const [shopper, agent] = await Promise.all([
    socketAt(`${sockets}/api/v1/support/conversation/ws?public_key=${shop.publishableKey}`, {
      Cookie: cookie,
    }),
    socketAt(`${sockets}/v1/businesses/${shop.id}/conversations/${threadId}/ws`, {
      "X-API-Key": shop.secretKey,
    }),
  ]);
  return between(shopper, agent);
}

async function threadAt({ origin }: URL, number: number): Promise<Conversation> {
  const url = `${origin.replace("http", "ws")}/${number}`;
  const [shopper, agent] = await Promise.all([socketAt(url, {}), socketAt(url, {})]);
  return between(shopper, agent);
}

const between = (shopper: WebSocket, agent: WebSocket): Conversation => ({
  async speak() {
    const clientId = crypto.randomUUID();
    const received = awaited(agent, clientId);
    shopper.send(JSON.stringify({ type: "message", content: "Hello", client_id: clientId }));
    await received;
  },
  hangUp() {
    shopper.close();
    agent.close();
  },
});

function socketAt(url: string, headers: Record<string, string>): Promise<WebSocket> {
  // Node's own takes headers, of which the browser's types know nothing.
  const socket: WebSocket = Reflect.construct(WebSocket, [url, { headers }]);
  return new Promise((resolve, reject) => {
    // The greeting: from then on the object sends to it.
    socket.addEventListener("message", () => resolve(socket), { once: true });
    const failed = (event: Event) =>
      reject(
        new Error(`No socket at ${url}`, { cause: "error" in event ? event.error : event.type }),
      );
    socket.addEventListener("error", failed, { once: true });
    socket.addEventListener("close", ({ code }) => reject(new Error(`Closed with ${code}`)));
  });
}

/** Waits for one message, by its client_id. */
function awaited(socket: WebSocket, clientId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      stop.abort();
      reject(new Error("A message did not arrive."));
    }, patienceMs);
    const listen = ({ data }: MessageEvent) => {
      if (!String(data).includes(clientId)) return;
      clearTimeout(timer);
      stop.abort();
      resolve();
    };
    socket.addEventListener("message", listen, { signal: stop.signal });
  });
}
