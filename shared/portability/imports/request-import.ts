import { commitToCore, type MerchantContext } from "../../businesses/index.ts";
import { conflict, minute, ruleViolation } from "../../kernel/index.ts";
import type { PortabilityContext } from "../context.ts";
import { firstImportPosition, type ImportJob, withEnd } from "../job.ts";
import { jobRepo } from "../job-repo.ts";
import { partFiles } from "../part-files.ts";
import { isBusinessEmpty } from "./empty-business-query.ts";
import { receiveFile } from "./receive-file.ts";

/** A file that has not arrived by then is given up. */
const receivingTtlMs = 15 * minute;

/**
 * Stores the file of an export and queues its import, which the job carries out.
 *
 * @throws Refusal NOT_EMPTY, CONFLICT while the business is imported, exported or moved,
 *   VALIDATION_ERROR for a file that is not a whole export.
 */
export async function requestImport(
  ctx: MerchantContext & Pick<PortabilityContext, "files">,
  body: ReadableStream<Uint8Array>,
): Promise<ImportJob> {
  const { core, business } = ctx;
  const [isEmpty, open] = await Promise.all([
    isBusinessEmpty(ctx.db, business.id),
    jobRepo(core).findOpen(business.id),
  ]);
  if (open) throw conflict("An export or import of the business is under way.");
  if (!isEmpty) throw notEmpty();
  const at = ctx.now();
  const job: ImportJob = {
    id: ctx.newId("imp"),
    businessId: business.id,
    kind: "import",
    status: "queued",
    position: firstImportPosition,
    ...{ rows: 0, bytes: 0, failure: null, tries: 0, version: 0 },
    ...{ dueAt: at + receivingTtlMs, createdAt: at, startedAt: null, endedAt: null },
  };
  await commitToCore(ctx, {
    writes: [jobRepo(core).insert(job)],
    audit: { action: "business.import_requested", entity: job.id },
  });
  return receive(ctx, job, body);
}

async function receive(
  ctx: MerchantContext & Pick<PortabilityContext, "files">,
  job: ImportJob,
  body: ReadableStream<Uint8Array>,
): Promise<ImportJob> {
  const { save } = jobRepo(ctx.core);
  try {
    const { parts, bytes } = await receiveFile(ctx, job, body);
    const position = { ...job.position, phase: "checking" as const, parts };
    return await save(job, { ...job, bytes, position, dueAt: ctx.now() });
  } catch (error) {
    await partFiles(ctx, job).deleteSome();
    const failure = { line: null, reason: "The file did not arrive whole." };
    await save(job, withEnd({ ...job, failure }, "failed", ctx.now()));
    throw error;
  }
}

const notEmpty = () =>
  ruleViolation(
    "NOT_EMPTY",
    "The business is not empty. Create a new business and import into that.",
  );
