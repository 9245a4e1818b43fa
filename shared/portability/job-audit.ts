import { actorName } from "../database/index.ts";
import type { PortabilityContext } from "./context.ts";
import { auditIdOf, type PortabilityJob } from "./job.ts";

/** The audit entry of a job's end. Its id follows from the job's, so that a repeat writes no second. */
export const jobAuditEntry = (
  ctx: Pick<PortabilityContext, "now">,
  job: PortabilityJob,
  action: string,
) => ({
  id: auditIdOf(job),
  businessId: job.businessId,
  actor: actorName({ type: "system", job: "transfer-businesses" }),
  action,
  entity: job.id,
  before: null,
  after: { rows: job.rows },
  at: ctx.now(),
});
