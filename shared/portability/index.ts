export type { PortabilityContext } from "./context.ts";
export { readExportFile } from "./exports/read-export-file.ts";
export { requestExport } from "./exports/request-export.ts";
export { exportedTables, tablesNotExported } from "./format/exported-tables.ts";
export { requestImport } from "./imports/request-import.ts";
export {
  isExport,
  jobStatuses,
  jobTtlMs,
  type PortabilityJob,
} from "./job.ts";
export { deletePortabilityJobs, duePortabilityJobs, jobRepo } from "./job-repo.ts";
export { runNextJob } from "./run-next-job.ts";
