import { asRecord, asText, ownConnection } from "./api-client.ts";
import { type Conversation, createConversation, openSocket } from "./conversation.ts";
import { createBusiness } from "./create-shop.ts";
import { formatTable } from "./format-table.ts";
import { type Measurement, percentile, perSecond, runLoad } from "./load.ts";
import { runInParallel } from "./run-in-parallel.ts";
import { startSupportFloor } from "./support-floor.ts";

/**
 * The number of conversations, BENCH_CONVERSATIONS (1,000). Each has a shopper's and an agent's
 * socket.
 */
const conversationCount = Number(process.env.BENCH_CONVERSATIONS ?? 1_000);
const seconds = Number(process.env.BENCH_SECONDS ?? 2.5);
/** How many shoppers send at the same time. Each waits until the agent receives the message. */
const speakerCounts = [1, 16, 64];
/**
 * An isolate caches an API key with its rate limits for 5 s. After this time the new limits apply.
 */
const keyCacheMs = 5_500;

type SupportShop = Awaited<ReturnType<typeof createBusiness>>;

/**
 * Measures the support chat with many open conversations, and next to it a minimal chat for
 * comparison.
 */
export async function measureSupport(origin: URL): Promise<string> {
  const shop = await createBusiness(origin);
  await new Promise((resolve) => setTimeout(resolve, keyCacheMs));
  const chat = await measureConversations((number) => openConversation(origin, { shop, number }));
  const bare = await startSupportFloor();
  const floor = await measureConversations((number) =>
    openFloorThread(bare.origin, number),
  ).finally(bare.stop);
  const rows = speakerCounts.flatMap((count, index) => {
    const [measured, minimum] = [chat.measurements[index], floor.measurements[index]];
    if (!measured || !minimum) return [];
    const share = `${((100 * perSecond(measured)) / perSecond(minimum)).toFixed(0)} %`;
    return [
      formatRow(`messages, ${count} in parallel, sent to received`, measured, share),
      formatRow("  floor", minimum, ""),
    ];
  });
  const errors = new Set(chat.measurements.flatMap(({ errors }) => errors));
  const head = [`support chat, ${conversationCount} conversations of 2 sockets`];
  return `${formatTable([...head, "per s", "p50 ms", "p99 ms", "errors", "of floor"], rows)}
opened: ${chat.openedPerSecond.toFixed(0)} conversations per second with both sockets; floor ${floor.openedPerSecond.toFixed(0)}
floor: an object that stores a row for each frame and sends it to its two sockets, through one bare Worker${frameLimitNote(chat.measurements)}
${[...errors].join("\n")}`.trimEnd();
}

const frameLimitNote = (measurements: readonly SpeakerMeasurement[]): string =>
  measurements.some(({ isFrameLimited }) => isFrameLimited)
    ? "\n*: limited by the frames that a socket may send per second; more conversations reach a higher rate"
    : "";

const formatRow = (name: string, measured: SpeakerMeasurement, share: string): string[] => [
  `${name}${measured.isFrameLimited ? " *" : ""}`,
  perSecond(measured).toFixed(0),
  percentile(measured, 0.5).toFixed(1),
  percentile(measured, 0.99).toFixed(1),
  String(measured.errors.length),
  share,
];

/** Opens all conversations and measures messages with each number of speakers. */
async function measureConversations(open: (number: number) => Promise<Conversation>) {
  const started = performance.now();
  const conversations = await runInParallel(conversationCount, open);
  const openedPerSecond = (conversationCount / (performance.now() - started)) * 1_000;
  const measurements: SpeakerMeasurement[] = [];
  for (const count of speakerCounts) measurements.push(await measureSpeakers(conversations, count));
  for (const conversation of conversations) conversation.close();
  return { openedPerSecond, measurements };
}

type SpeakerMeasurement = Measurement & Readonly<{ isFrameLimited: boolean }>;

/**
 * Each speaker sends in one of its own conversations after the other. A speaker with too few
 * conversations must wait for the frame limit, and the limit then determines the rate.
 */
async function measureSpeakers(
  conversations: readonly Conversation[],
  maxSpeakers: number,
): Promise<SpeakerMeasurement> {
  const count = Math.min(maxSpeakers, conversations.length);
  const speakers = Array.from({ length: count }, (_, speaker) =>
    createSpeaker(conversations.filter((_, index) => index % count === speaker)),
  );
  let isFrameLimited = false;
  const units = speakers.map(({ sendMessage }) => sendMessage);
  const measured = await runLoad([], units, seconds, async (speaker) => {
    const hasWaited = await speakers[speaker]?.moveToNext();
    isFrameLimited ||= hasWaited === true;
  });
  return { ...measured, isFrameLimited };
}

/** A speaker who sends in one conversation and, after `moveToNext`, in the next one. */
function createSpeaker(conversations: readonly Conversation[]) {
  let position = -1;
  const current = () => conversations[position % conversations.length];
  return {
    sendMessage: async () => current()?.sendMessage(),
    /** Returns whether the speaker had to wait for the frame limit. */
    async moveToNext() {
      position += 1;
      return current()?.waitForTurn();
    },
  };
}

async function openConversation(
  origin: URL,
  { shop, number }: Readonly<{ shop: SupportShop; number: number }>,
): Promise<Conversation> {
  const path = `${origin.origin}/api/v1/support/conversation`;
  // Each shopper has an address of their own, because the conversations of one are limited.
  const ip = `198.51.${number >> 8}.${number & 255}`;
  const address = { "CF-Connecting-IP": ip, "X-Forwarded-For": ip };
  const opened = await fetch(path, {
    method: "POST",
    headers: { "X-Public-Key": shop.publishableKey, ...address, ...ownConnection },
  });
  const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const page = asRecord(asRecord(await opened.json()).data);
  const threadId = asText(asRecord(page.conversation).id);
  const sockets = origin.origin.replace("http", "ws");
  const [shopper, agent] = await Promise.all([
    openSocket(`${sockets}/api/v1/support/conversation/ws?public_key=${shop.publishableKey}`, {
      Cookie: cookie,
      ...address,
    }),
    openSocket(`${sockets}/v1/businesses/${shop.id}/conversations/${threadId}/ws`, {
      "X-API-Key": shop.secretKey,
    }),
  ]);
  return createConversation(shopper, agent);
}

async function openFloorThread({ origin }: URL, number: number): Promise<Conversation> {
  const url = `${origin.replace("http", "ws")}/${number}`;
  const [shopper, agent] = await Promise.all([openSocket(url, {}), openSocket(url, {})]);
  return createConversation(shopper, agent);
}
