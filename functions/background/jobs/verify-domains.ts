import { verifyDueDomains } from "../../../shared/businesses/index.ts";
import type { BackgroundContext } from "../context.ts";
import { type JobResult, maxQueries, repeatBatch } from "../runs/batches.ts";

const domainsPerBatch = 10;

/** Looks at DNS for the domains that wait for their record (docs/contract/business.md#domains). */
export const verifyDomains = (background: BackgroundContext): Promise<JobResult> =>
  repeatBatch(background, domainsPerBatch * maxQueries.domain, async () => {
    const { runtime, core, lookUpTxt } = background;
    const ctx = { now: runtime.now, core: core(), lookUpTxt };
    const processed = await verifyDueDomains(ctx, domainsPerBatch);
    return { processed, hasMore: processed === domainsPerBatch };
  });
