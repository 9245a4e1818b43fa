import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { readConversation } from "../../functions/background/jobs/transfer-businesses.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { type PortabilityContext, runNextJob } from "../../shared/portability/index.ts";
import { createFileStore } from "../../shared/uploads/index.ts";
import { createMoveContext } from "../moves/create-move.ts";
import { runQueuedJobs } from "../support/cron.ts";
import { Crash, type CrashPoint, neverCrash } from "../support/faults.ts";
import { dataOf, merchant } from "../support/world.ts";

const job = { job: "transfer-businesses", shard: null, chain: 0 };

/** Runs the exports and imports that are due, until none is left. */
export const runTransfers = () => runQueuedJobs([job]);

export async function requestExport(shop: CreatedBusiness): Promise<string> {
  const requested = await merchant(shop)("POST", "/exports");
  expect(requested.status).toBe(201);
  expect(dataOf(requested)).toMatchObject({ status: "queued", url: null });
  return dataOf(requested).id;
}

/** Exports the business and returns the text of the file. */
export async function exportBusiness(shop: CreatedBusiness): Promise<string> {
  const id = await requestExport(shop);
  await runTransfers();
  const file = await merchant(shop)("GET", `/exports/${id}/file`);
  expect(file.status).toBe(200);
  return String(file.body);
}

/** The lines of a file as JSON: the first one, the rows and the last one. */
export function parseFile(text: string) {
  expect(text.endsWith("\n")).toBe(true);
  const [header, ...lines] = text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line));
  return { header, footer: lines.at(-1).end, rows: lines.slice(0, -1) };
}

/** How many rows of each table a file has. */
export function countByTable(rows: readonly Readonly<{ table: string }>[]) {
  const counts: Record<string, number> = {};
  for (const { table } of rows) counts[table] = (counts[table] ?? 0) + 1;
  return counts;
}

const crashingFiles = (crash: CrashPoint): PortabilityContext["files"] => {
  const { put, get, list, delete: remove } = createFileStore(env.FILES);
  const run =
    <A extends unknown[], R>(effect: (...args: A) => Promise<R>) =>
    (...args: A) =>
      crash(() => effect(...args));
  return {
    put: run(put) as typeof put, // safe: `run` changes neither arguments nor results
    get: run(get) as typeof get,
    list: run(list),
    delete: run(remove),
  };
};

/** The context of the job, with `crash` around every effect. */
export const createTransferContext = (crash: CrashPoint = neverCrash): PortabilityContext => ({
  ...createMoveContext(crash),
  files: crashingFiles(crash),
  readMessages: (conversation, range) =>
    crash(() => readConversation(env.SUPPORT_CONVERSATION, conversation, range)),
});

/** A lease of a job has ended after this time. */
export const passLease = () => vi.setSystemTime(Date.now() + 2 * minute);

/** Runs the due jobs until none is left, with another run after each crash. */
export async function runWithCrashes(crash: CrashPoint): Promise<void> {
  const ctx = createTransferContext(crash);
  for (;;) {
    try {
      if (!(await runNextJob(ctx))) return;
    } catch (error) {
      if (!(error instanceof Crash) && !(Object(error).cause instanceof Crash)) throw error;
      passLease();
    }
  }
}
