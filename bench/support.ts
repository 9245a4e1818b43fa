import { asRecord, asText, ownConnection } from "./api-client.ts";
import { type Conversation, createConversation, openSocket } from "./conversation.ts";
import { createBusiness } from "./create-shop.ts";
import { type Measurement, runLoad } from "./load.ts";
import type { BenchOptions } from "./options.ts";
import { formatRateTable } from "./report.ts";
import { type BenchResult, inTurn, resultOf } from "./results.ts";
import { runInParallel } from "./run-in-parallel.ts";
import type { BenchRuntime } from "./runtime.ts";
import { startSupportFloor } from "./support-floor.ts";
import { addressHeaders } from "./visitor.ts";

/** How many shoppers send at the same time. Each waits until the agent receives the message. */
const speakerCounts = [1, 16, 64];
/**
 * An isolate caches an API key with its rate limits for 5 s. After this time the new limits apply.
 */
const keyCacheMs = 5_500;

type SupportShop = Awaited<ReturnType<typeof createBusiness>>;

const rowName = (count: number): string => `chat: ${count} in parallel, sent to received`;
const floorName = (count: number): string => `chat: floor, ${count} in parallel`;

const openingName = "chat: conversations opened, with both sockets";
const openingFloorName = "chat: floor, conversations opened";

export const chatRowNames: readonly string[] = [
  ...[openingName, openingFloorName],
  ...speakerCounts.flatMap((count) => [rowName(count), floorName(count)]),
];

type ChatOptions = Pick<BenchOptions, "rounds" | "secondsPerRound" | "conversations">;

/**
 * Measures the support chat with many open conversations, and next to it a minimal chat for
 * comparison.
 */
export async function measureSupport(
  { origin }: BenchRuntime,
  options: ChatOptions,
): Promise<{ table: string; results: BenchResult[] }> {
  const shop = await createBusiness(origin);
  await new Promise((resolve) => setTimeout(resolve, keyCacheMs));
  const bare = await startSupportFloor();
  const chat = createOpeningRow(openingName, (number) =>
    openConversation(origin, { shop, number }),
  );
  const floor = createOpeningRow(openingFloorName, (number) =>
    openFloorThread(bare.origin, number),
  );
  const measured = await measureOpened([chat, floor], options).finally(async () => {
    for (const { close } of [...chat.conversations, ...floor.conversations]) close();
    await bare.stop();
  });
  const results = [
    ...[chat, floor].map(({ name, parts }) => resultOf(name, parts)),
    ...measured.map(({ name, measurements }) => resultOf(name, measurements)),
  ];
  const limited = measured.filter(({ measurements }) =>
    measurements.some(({ isFrameLimited }) => isFrameLimited),
  );
  const note =
    limited.length === 0
      ? ""
      : `\nlimited by the frames that a socket may send per second, more conversations reach a higher rate:\n  ${limited.map(({ name }) => name).join("\n  ")}`;
  return {
    table: `${formatRateTable(`${options.conversations} conversations of 2 sockets`, results)}
floor: an object that stores a row for each frame and sends it to its two sockets, through one bare Worker${note}`,
    results,
  };
}

/** Opens the conversations of both, and measures what is sent in them. */
async function measureOpened(
  [chat, floor]: readonly [OpeningRow, OpeningRow],
  options: ChatOptions,
): Promise<MeasuredChatRow[]> {
  await openInRounds([chat, floor], options);
  return measureInRounds(
    speakerCounts.flatMap((speakers) => [
      { name: rowName(speakers), conversations: chat.conversations, speakers },
      { name: floorName(speakers), conversations: floor.conversations, speakers },
    ]),
    options,
  );
}

/** The conversations that a row has opened, and how long each part of them took. */
type OpeningRow = Readonly<{
  name: string;
  open: (number: number) => Promise<Conversation>;
  conversations: Conversation[];
  parts: Measurement[];
}>;

const createOpeningRow = (name: string, open: OpeningRow["open"]): OpeningRow => ({
  ...{ name, open },
  conversations: [],
  parts: [],
});

/**
 * Opens all conversations in parts, one for each round. The part before them only warms up, and is not
 * measured.
 */
async function openInRounds(
  rows: readonly OpeningRow[],
  { conversations: count, rounds }: ChatOptions,
): Promise<void> {
  const partStart = (part: number) => Math.floor((count * part) / (rounds + 1));
  for (let part = 0; part <= rounds; part += 1) {
    const [first, end] = [partStart(part), partStart(part + 1)];
    if (first === end) continue; // fewer conversations than parts
    for (const { open, conversations, parts } of inTurn(rows, part)) {
      const measured = await measureParallel(end - first, async (number) => {
        conversations.push(await open(first + number));
      });
      if (part > 0) parts.push(measured);
    }
  }
}

/** Does a number of units in parallel, and measures each. */
async function measureParallel(
  count: number,
  work: (number: number) => Promise<unknown>,
): Promise<Measurement> {
  const started = performance.now();
  const milliseconds = await runInParallel(count, async (number) => {
    const before = performance.now();
    await work(number);
    return performance.now() - before;
  });
  return {
    ...{ units: count, milliseconds },
    seconds: (performance.now() - started) / 1_000,
    ...{ errors: [], maxRoundTrips: { d1: 0, do: 0 }, longestResponse: 0 },
  };
}

type ChatRow = Readonly<{
  name: string;
  conversations: readonly Conversation[];
  speakers: number;
}>;

type MeasuredChatRow = Readonly<{ name: string; measurements: readonly SpeakerMeasurement[] }>;

async function measureInRounds(
  rows: readonly ChatRow[],
  { rounds, secondsPerRound }: ChatOptions,
): Promise<MeasuredChatRow[]> {
  const measurements = new Map<string, SpeakerMeasurement[]>(rows.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, conversations, speakers } of inTurn(rows, round))
      measurements.get(name)?.push(await measureSpeakers(conversations, speakers, secondsPerRound));
  }
  return [...measurements].map(([name, measured]) => ({ name, measurements: measured }));
}

type SpeakerMeasurement = Measurement & Readonly<{ isFrameLimited: boolean }>;

/**
 * Each speaker sends in one of its own conversations after the other. A speaker with too few
 * conversations must wait for the frame limit, and the limit then determines the rate.
 */
async function measureSpeakers(
  conversations: readonly Conversation[],
  maxSpeakers: number,
  seconds: number,
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
  const address = addressHeaders(`198.51.${number >> 8}.${number & 255}`);
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
