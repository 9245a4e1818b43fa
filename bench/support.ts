import { record, text } from "../scripts/seed/api.ts";
import { between, type Conversation, socketAt } from "./conversation.ts";
import { inParallel } from "./in-parallel.ts";
import { load, type Measured, percentile, perSecond } from "./load.ts";
import { openBusiness } from "./shop.ts";
import { startFloor } from "./support-floor.ts";
import { table } from "./table.ts";

/** BENCH_CONVERSATIONS (1,000): each with a shopper's and an agent's socket. */
const conversations = Number(process.env.BENCH_CONVERSATIONS ?? 1_000);
const seconds = Number(process.env.BENCH_SECONDS ?? 2.5);
/** Shoppers who speak at the same time; each message is waited for at the agent's socket. */
const speakers = [1, 16, 64];
/** A key's limits are remembered for 5 s: until then those of before its business had none. */
const rememberedMs = 5_500;

type Shop = Awaited<ReturnType<typeof openBusiness>>;

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
    const [measured, bare] = [ours.spokenBy[at], least.spokenBy[at]];
    if (!measured || !bare) return [];
    const share = `${((100 * perSecond(measured)) / perSecond(bare)).toFixed(0)} %`;
    return [
      rowOf(`messages, ${count} at once, sent to received`, measured, share),
      rowOf(floorName, bare, ""),
    ];
  });
  const errors = new Set(ours.spokenBy.flatMap(({ errors }) => errors));
  const head = [`support chat, ${conversations} conversations of 2 sockets`];
  return `${table([...head, "per s", "p50 ms", "p99 ms", "errors", "of floor"], rows)}
opened: ${ours.opened.toFixed(0)} conversations per second, with both their sockets; ${least.opened.toFixed(0)} of the floor's
floor: an object that stores a row for each frame and sends it to its two sockets, through one bare Worker${heldBackNote(ours.spokenBy)}
${[...errors].join("\n")}`.trimEnd();
}

const heldBackNote = (spokenBy: readonly Spoken[]): string =>
  spokenBy.some(({ isHeldBack }) => isHeldBack)
    ? "\n*: held back by the frames that a socket may send; more conversations can carry more"
    : "";

const floorName = "  the floor's";

const rowOf = (name: string, measured: Spoken, share: string): string[] => [
  `${name}${measured.isHeldBack ? " *" : ""}`,
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
  const spokenBy: Spoken[] = [];
  for (const count of speakers) spokenBy.push(await spoken(all, count));
  for (const { hangUp } of all) hangUp();
  return { opened, spokenBy };
}

type Spoken = Measured & Readonly<{ isHeldBack: boolean }>;

/**
 * Every speaker goes through conversations of their own in turn. Where these are so few that a socket
 * would send too much the speaker waits, and what is measured is the limit's pace.
 */
async function spoken(all: readonly Conversation[], most: number): Promise<Spoken> {
  const count = Math.min(most, all.length);
  const each = Array.from({ length: count }, (_, speaker) =>
    speakerIn(all.filter((_, index) => index % count === speaker)),
  );
  let isHeldBack = false;
  const units = each.map(({ speak }) => speak);
  const measured = await load([], units, seconds, async (speaker) => {
    const hasWaited = await each[speaker]?.next();
    isHeldBack ||= hasWaited === true;
  });
  return { ...measured, isHeldBack };
}

/** Speaks in one of them and, after `next`, in the next one. */
function speakerIn(own: readonly Conversation[]) {
  let turn = -1;
  return {
    speak: async () => own[turn % own.length]?.speak(),
    async next() {
      turn += 1;
      return own[turn % own.length]?.turn();
    },
  };
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
