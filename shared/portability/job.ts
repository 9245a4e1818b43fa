import { day, minute } from "../kernel/index.ts";

export const jobKinds = ["export", "import"] as const;
export type JobKind = (typeof jobKinds)[number];

export const jobStatuses = ["queued", "running", "completed", "failed"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** Why a job failed. The line counts from 1, and is null when no line of a file is the reason. */
export type JobFailure = Readonly<{ line: number | null; reason: string }>;

/** How many rows of each table a file has. */
export type RowCounts = Readonly<Record<string, number>>;

/** The last conversation of which all messages were read, and the last message read in the next one. */
export type MessagePosition = Readonly<{ conversation: string; after: number }>;

/**
 * `fencing` stops writes, `copying` writes the rows to the file, `opening` allows writes again,
 * `messages` writes those of support conversations and the file's end, `finishing` ends the export.
 * `undoing` replaces them when it fails. `kept`: the file waits to be deleted.
 */
export type ExportPosition = Readonly<{
  phase: "fencing" | "copying" | "opening" | "messages" | "finishing" | "undoing" | "kept";
  /** The index of the table, and the last rowid that was read in it. */
  table: number;
  after: number;
  messages: MessagePosition;
  /** The version of the job that wrote each part of the file. */
  parts: readonly number[];
  counts: RowCounts;
}>;

/**
 * `receiving` stores the file, `checking` reads all of it, `fencing` stops writes, `inserting`
 * writes its rows, `finishing` writes CORE, `opening` allows writes again. `erasing` and `undoing`
 * replace them when the import fails after `fencing`.
 */
export type ImportPosition = Readonly<{
  phase:
    | "receiving"
    | "checking"
    | "fencing"
    | "inserting"
    | "finishing"
    | "opening"
    | "erasing"
    | "undoing"
    | "kept";
  /** The number of the file's parts, and the next one to read. */
  parts: number;
  part: number;
  /** The lines before the next part. */
  lines: number;
  /** The table and rowid at which the erasure continues. */
  table: number;
  after: number;
  counts: RowCounts;
  /** The table of the last line, because a table's rows follow those that they refer to. */
  lastTable: string | null;
  /** The highest number at the end of an order number. */
  highestNumber: number;
}>;

export type JobPosition = ExportPosition | ImportPosition;

export type PortabilityJob = Readonly<{
  id: string;
  businessId: string;
  kind: JobKind;
  status: JobStatus;
  position: JobPosition;
  rows: number;
  bytes: number;
  failure: JobFailure | null;
  tries: number;
  version: number;
  dueAt: number;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
}>;

export type ExportJob = PortabilityJob & Readonly<{ kind: "export"; position: ExportPosition }>;
export type ImportJob = PortabilityJob & Readonly<{ kind: "import"; position: ImportPosition }>;

export const isExport = (job: PortabilityJob): job is ExportJob => job.kind === "export";
export const isImport = (job: PortabilityJob): job is ImportJob => job.kind === "import";

export const firstExportPosition: ExportPosition = {
  phase: "fencing",
  table: 0,
  after: 0,
  messages: { conversation: "", after: 0 },
  parts: [],
  counts: {},
};

export const firstImportPosition: ImportPosition = {
  phase: "receiving",
  ...{ parts: 0, part: 0, lines: 0, table: 0, after: 0 },
  counts: {},
  lastTable: null,
  highestNumber: 0,
};

/** The import that is given up. It erases what it has inserted, if it has stopped writes before. */
export function withImportFailure(job: ImportJob, failure: JobFailure): ImportJob {
  const hasInserted = job.position.phase === "inserting" || job.position.phase === "finishing";
  const phase = hasInserted || job.position.phase === "erasing" ? "erasing" : "undoing";
  return { ...job, failure, position: { ...job.position, phase, table: 0, after: 0 } };
}

/** How long an export's file can be downloaded, and a job be read. */
export const jobTtlMs = 7 * day;

/** The job that has ended; it and its file are deleted later. */
export const withEnd = <J extends ExportJob | ImportJob>(
  job: J,
  status: "completed" | "failed",
  endedAt: number,
): J => ({
  ...job,
  status,
  endedAt,
  dueAt: endedAt + jobTtlMs,
  position: { ...job.position, phase: "kept" },
});

/** A run that has saved no progress by then is considered dead. */
export const jobLeaseMs = minute;

/** How often a run may take a job without progress before the job fails. */
export const maxTries = 5;

/**
 * Who holds the business's fence for a job. Its id sorts among those of moves by time, so that a
 * later move can take the fence over.
 */
export const fenceHolderOf = ({ id, businessId }: Pick<PortabilityJob, "id" | "businessId">) => ({
  id: id.replace(/^[a-z]+_/, "bmv_"),
  businessId,
});

/** The job's audit entry has an id of its own, so that a repeated step writes no second entry. */
export const auditIdOf = ({ id }: Pick<PortabilityJob, "id">): string =>
  id.replace(/^[a-z]+_/, "aud_");

/** The beginning of the R2 keys of a job's file, which the erasure of the business deletes too. */
export const filePrefixOf = ({ id, kind, businessId }: PortabilityJob): string =>
  `${businessId}/${kind}s/${id}/`;
