import { type Business, businessRepo } from "../../businesses/index.ts";
import { fenceRepo, readLayouts, rowsRepo } from "../../moves/index.ts";
import type { PortabilityContext } from "../context.ts";
import { coreRowsRepo } from "../core-rows-repo.ts";
import { exportedLayouts } from "../format/exported-layouts.ts";
import { listedTables } from "../format/exported-tables.ts";
import {
  fenceHolderOf,
  type ImportJob,
  type ImportPosition,
  maxTries,
  withEnd,
  withImportFailure,
} from "../job.ts";
import { jobAuditEntry } from "../job-audit.ts";
import { jobRepo } from "../job-repo.ts";
import { partFiles } from "../part-files.ts";
import { catalogueVersionRepo } from "./catalogue-version-repo.ts";
import { isBusinessEmpty } from "./empty-business-query.ts";
import { readPart, withCheckedPart } from "./file-parts.ts";
import { createRowInserter } from "./insert-rows.ts";
import { BadLine, type FileRow } from "./rows/file-reader.ts";
import { readHeader } from "./rows/header.ts";
import { createNewIds } from "./rows/new-ids.ts";
import { toStoredRows } from "./rows/stored-rows.ts";

/** Phases that repeat until they succeed, because what they began must not stay half done. */
const unstoppable: readonly ImportPosition["phase"][] = ["opening", "erasing", "undoing"];
/** Steps that a run repeats for the next part or window, which the next run does. */
const longPhases: readonly ImportPosition["phase"][] = ["checking", "inserting", "erasing"];

/**
 * Runs the steps of an import until it ends or has handled a part of its file. Every step is safe
 * to repeat, because the next run repeats a step that was not saved.
 *
 * @throws Refusal CONFLICT when another run has taken the job over.
 */
export async function runImport(ctx: PortabilityContext, claimed: ImportJob): Promise<void> {
  const business = await businessRepo(ctx.core).get(claimed.businessId);
  const step = createImportSteps(ctx, business);
  const { save } = jobRepo(ctx.core);
  const isExhausted = claimed.tries > maxTries && !unstoppable.includes(claimed.position.phase);
  let job = isExhausted ? await save(claimed, withImportFailure(claimed, noProgress)) : claimed;
  for (let isPartHandled = false; job.endedAt === null && !isPartHandled; ) {
    const next = await step(job).catch((error: unknown) => toFailedImport(job, error));
    const { phase } = next.position;
    isPartHandled = phase === job.position.phase && longPhases.includes(phase);
    if (next.version !== job.version) job = next;
    else job = await save(job, isPartHandled ? { ...next, dueAt: ctx.now() } : next);
  }
}

const noProgress = { line: null, reason: `The import made no progress in ${maxTries} tries.` };

/** @throws the error, unless it says what is wrong with the file. */
function toFailedImport(job: ImportJob, error: unknown): ImportJob {
  if (!(error instanceof BadLine)) throw error;
  return withImportFailure(job, { line: error.line, reason: error.message });
}

function createImportSteps(ctx: PortabilityContext, business: Business) {
  const db = ctx.dbFor(business.shard);

  const inPhase = (job: ImportJob, phase: ImportPosition["phase"]): ImportJob => ({
    ...job,
    position: { ...job.position, phase, part: 0, lines: 0, lastTable: null, table: 0, after: 0 },
  });

  return async function step(job: ImportJob): Promise<ImportJob> {
    const fence = fenceRepo(db, fenceHolderOf(job));
    switch (job.position.phase) {
      case "receiving":
        throw new BadLine(null, "The file did not arrive whole.");
      case "checking": {
        if (job.position.part === job.position.parts) return inPhase(job, "fencing");
        const part = await readPart(ctx, job);
        return { ...job, position: withCheckedPart(job.position, part) };
      }
      case "fencing":
        await fence.close();
        if (!(await isBusinessEmpty(db, business.id))) {
          throw new BadLine(null, "The business is no longer empty.");
        }
        return inPhase(job, "inserting");
      case "inserting":
        if (job.position.part === job.position.parts) return inPhase(job, "finishing");
        return insertPart(job);
      case "finishing":
        return finish(job);
      case "opening":
        await fence.open(jobAuditEntry(ctx, job, "business.imported"));
        await catalogueVersionRepo(db, business.id).raise();
        await partFiles(ctx, job).deleteSome();
        return withEnd(job, "completed", ctx.now());
      case "erasing":
        return eraseRows(job);
      case "undoing":
        await fence.open(jobAuditEntry(ctx, job, "business.import_failed"));
        await partFiles(ctx, job).deleteSome();
        return withEnd(job, "failed", ctx.now());
      case "kept":
        return job;
    }
  };

  async function insertPart(job: ImportJob): Promise<ImportJob> {
    const part = await readPart(ctx, job);
    const sources = part.rows.filter(isInserted);
    const insertRows = await createRowInserter(db, job);
    await insertRows(await toOwnRows(job, sources));
    const { position } = job;
    return {
      ...job,
      rows: job.rows + sources.length,
      position: {
        ...position,
        part: position.part + 1,
        lines: position.lines + part.lineCount,
        lastTable: part.rows.at(-1)?.table ?? position.lastTable,
      },
    };
  }

  async function toOwnRows(job: ImportJob, rows: readonly FileRow[]) {
    return toStoredRows(rows, { ids: await createNewIds(job.id), businessId: business.id });
  }

  /** Writes what follows from all rows: the next order number, and what CORE stores. */
  async function finish(job: ImportJob): Promise<ImportJob> {
    const { header, rows } = await readPart(ctx, { ...job, position: firstPartOf(job) });
    const setup = readHeader(header ?? "");
    if (typeof setup === "string") throw new BadLine(1, setup);
    const { highestNumber } = job.position;
    if (highestNumber > 0) {
      const row = { last_number: highestNumber, business_id: business.id };
      const insertRows = await createRowInserter(db, job);
      await insertRows([{ source: { line: 0, table: "order_sequences", row }, stored: row }]);
    }
    const locations = rows.filter(({ table }) => table === "locations");
    return coreRowsRepo(ctx.core, business.id).replace(job, inPhase(job, "opening"), {
      locations: (await toOwnRows(job, locations)).map(({ stored }) => stored),
      ...{ currency: setup.currency, defaultCountry: setup.default_country },
      ...{ timezone: setup.timezone, settings: setup.settings, now: ctx.now() },
    });
  }

  /** Deletes the rows that the import has inserted, the last table first. */
  async function eraseRows(job: ImportJob): Promise<ImportJob> {
    const remaining = (await readLayouts(db, exportedLayouts))
      .filter(({ table }) => !listedTables.includes(table.name))
      .toReversed()
      .slice(job.position.table);
    if (remaining.length === 0) return inPhase(job, "undoing");
    const repo = rowsRepo(db, fenceHolderOf(job));
    const windows = await repo.windows(remaining, job.position.after, "delete");
    await repo.deleteRows(windows);
    const after = windows.at(-1)?.next ?? null;
    const table = job.position.table + windows.length - (after === null ? 0 : 1);
    return { ...job, position: { ...job.position, table, after: after ?? 0 } };
  }
}

/** CORE stores the locations at the end, the order numbers go on after the highest, files stay behind. */
const isInserted = ({ table }: FileRow): boolean =>
  !["locations", "order_sequences", ...listedTables].includes(table);

const firstPartOf = ({ position }: ImportJob): ImportPosition => ({
  ...position,
  ...{ part: 0, lines: 0, lastTable: null },
});
