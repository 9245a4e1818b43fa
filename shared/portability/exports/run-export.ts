import { type Business, businessRepo } from "../../businesses/index.ts";
import { fenceRepo, readLayouts, rowsRepo } from "../../moves/index.ts";
import type { PortabilityContext } from "../context.ts";
import { coreRowsRepo } from "../core-rows-repo.ts";
import { exportedLayouts } from "../format/exported-layouts.ts";
import { footerLine, headerLine, rowLine, toStoredRow } from "../format/file-lines.ts";
import { fileColumns } from "../format/file-tables-query.ts";
import {
  type ExportJob,
  type ExportPosition,
  fenceHolderOf,
  maxTries,
  type RowCounts,
  withEnd,
} from "../job.ts";
import { jobAuditEntry } from "../job-audit.ts";
import { jobRepo } from "../job-repo.ts";
import { partFiles } from "../part-files.ts";
import { readMessageLines } from "./message-lines.ts";
import { charactersPerPart, type FoundLine, maxPartMs } from "./part-limits.ts";

/** Keeps a part within D1's limit of 1,000 queries per invocation: a step runs at most 20. */
const maxStepsPerPart = 20;
/** Phases that repeat until they succeed, because what they began must not stay half done. */
const unstoppable: readonly ExportPosition["phase"][] = ["opening", "finishing", "undoing"];
/** Phases of which each step writes a part of the file. */
const writing: readonly ExportPosition["phase"][] = ["copying", "messages"];

const encoder = new TextEncoder();

/**
 * Runs the steps of an export until it ends or has written a part of its file. Every step is safe to
 * repeat, because the next run repeats a step that was not saved.
 *
 * @throws Refusal CONFLICT when another run has taken the job over.
 */
export async function runExport(ctx: PortabilityContext, claimed: ExportJob): Promise<void> {
  const business = await businessRepo(ctx.core).get(claimed.businessId);
  const { step, withFailure } = createExportSteps(ctx, business);
  const { save } = jobRepo(ctx.core);
  const isExhausted = claimed.tries > maxTries && !unstoppable.includes(claimed.position.phase);
  let job = isExhausted ? await save(claimed, withFailure(claimed)) : claimed;
  for (let isPartWritten = false; job.endedAt === null && !isPartWritten; ) {
    const next = await step(job);
    isPartWritten = writing.includes(job.position.phase) && writing.includes(next.position.phase);
    job = await save(job, isPartWritten ? { ...next, dueAt: ctx.now() } : next);
  }
}

function createExportSteps(ctx: PortabilityContext, business: Business) {
  const db = ctx.dbFor(business.shard);

  const inPhase = (job: ExportJob, phase: ExportPosition["phase"]): ExportJob => ({
    ...job,
    position: { ...job.position, phase },
  });

  async function step(job: ExportJob): Promise<ExportJob> {
    const fence = fenceRepo(db, fenceHolderOf(job));
    switch (job.position.phase) {
      case "fencing":
        await fence.close();
        return inPhase(job, "copying");
      case "copying":
        return copyRows(job);
      case "opening":
        await fence.open(null);
        return inPhase(job, "messages");
      case "messages":
        return copyMessages(job);
      case "finishing":
        await fence.open(jobAuditEntry(ctx, job, "business.exported"));
        return withEnd(job, "completed", ctx.now());
      case "undoing":
        await fence.open(jobAuditEntry(ctx, job, "business.export_failed"));
        await partFiles(ctx, job).deleteSome();
        return withEnd(job, "failed", ctx.now());
      case "kept":
        return job;
    }
  }

  /** Writes the lines of the next rows as one part of the file. */
  async function copyRows(job: ExportJob): Promise<ExportJob> {
    const layouts = await readLayouts(db, exportedLayouts);
    const repo = rowsRepo(db, fenceHolderOf(job));
    let { table, after, counts } = job.position;
    const isFirst = job.position.parts.length === 0;
    const lines = isFirst ? [headerLine(business, ctx.now())] : [];
    if (isFirst) counts = addLines(lines, counts, await readCoreLines());
    const stopAt = ctx.now() + maxPartMs;
    let size = 0;
    for (let steps = 0; steps < maxStepsPerPart; steps += 1) {
      const remaining = layouts.slice(table);
      if (remaining.length === 0 || size >= charactersPerPart || ctx.now() >= stopAt) break;
      const pages = await repo.pages(await repo.windows(remaining, after, "read"));
      for (const { layout, rows, next } of pages) {
        const columns = fileColumns.get(layout.table.name) ?? [];
        const found = rows.flatMap((row) => {
          const line = rowLine(layout.table.name, toStoredRow(layout, row), columns);
          return line === null ? [] : [{ table: layout.table.name, line }];
        });
        counts = addLines(lines, counts, found);
        size += rows.reduce((sum, row) => sum + row.length, 0);
        if (next === null) table += 1;
        after = next ?? 0;
      }
    }
    const phase = table >= layouts.length ? "opening" : "copying";
    return putPart(job, lines, { ...job.position, phase, table, after, counts });
  }

  /** Writes the lines of the next messages, and at their end the last line, as one part of the file. */
  async function copyMessages(job: ExportJob): Promise<ExportJob> {
    const { position } = job;
    const scope = { db, businessId: business.id };
    const { lines: found, next, isEnd } = await readMessageLines(ctx, scope, position.messages);
    const lines: string[] = [];
    const counts = addLines(lines, position.counts, found);
    if (isEnd) lines.push(footerLine(counts));
    const phase = isEnd ? "finishing" : "messages";
    return putPart(job, lines, { ...position, phase, counts, messages: next });
  }

  async function putPart(
    job: ExportJob,
    lines: readonly string[],
    position: ExportPosition,
  ): Promise<ExportJob> {
    const bytes = encoder.encode(lines.join(""));
    const { parts, counts } = position;
    await partFiles(ctx, job).put(parts.length, job.version, bytes);
    return {
      ...job,
      rows: Object.values(counts).reduce((sum, rows) => sum + rows, 0),
      bytes: job.bytes + bytes.byteLength,
      position: { ...position, parts: [...parts, job.version] },
    };
  }

  /** What CORE stores: the locations and the members. */
  async function readCoreLines(): Promise<readonly FoundLine[]> {
    const repo = coreRowsRepo(ctx.core, business.id);
    const [locations, members] = await Promise.all([repo.readLocations(), repo.readMembers()]);
    return [...toCoreLines("locations", locations), ...toCoreLines("members", members)];
  }

  return {
    step,

    /** The export that is given up: writes are allowed again, and nothing of the file is kept. */
    withFailure: (job: ExportJob): ExportJob => ({
      ...inPhase(job, "undoing"),
      failure: { line: null, reason: `The export made no progress in ${maxTries} tries.` },
    }),
  };
}

const toCoreLines = (
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): readonly FoundLine[] =>
  rows.flatMap((row) => {
    const line = rowLine(table, row, fileColumns.get(table) ?? []);
    return line === null ? [] : [{ table, line }];
  });

/** Adds the lines to `lines`; returns the counts with them. */
function addLines(lines: string[], counts: RowCounts, found: readonly FoundLine[]): RowCounts {
  const next: Record<string, number> = { ...counts };
  for (const { table, line } of found) {
    lines.push(line);
    next[table] = (next[table] ?? 0) + 1;
  }
  return next;
}
