import { DurableObject } from "cloudflare:workers";
import { minute } from "../../../shared/kernel/index.ts";
import type { JobRun, MetricSums, MetricsReading } from "../../runtime/metrics/metrics-object.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { StorefrontBindings } from "../env.ts";

/** Protects the object's stored value, which may have 2 MB. A deployment has about 2,000 series. */
const maxSeries = 8_000;
const recentErrorsMs = 15 * minute;
/** A job that has not run for this time belongs to an older version, or to a shard that is gone. */
const forgetJobAfterMs = 7 * 24 * 60 * minute;

type Stored = {
  readonly series: Map<string, number[]>;
  readonly jobRuns: Map<string, JobRun>;
  /** Failed calls of providers by the minute in which they were handed over. */
  readonly providerErrors: Map<number, number>;
};

/** Adds up what the isolates of all Workers have counted (docs/contract/operator.md#metrics). */
export class Metrics extends DurableObject<StorefrontBindings> {
  #stored: Stored | null = null;

  async add({ series, jobRuns }: MetricSums): Promise<void> {
    const stored = this.#load();
    const thisMinute = Math.floor(runtime.now() / minute);
    for (const [name, values] of Object.entries(series)) {
      addValues(stored.series, name, values);
      if (!name.startsWith("provider_errors_total")) continue;
      const errors = stored.providerErrors;
      errors.set(thisMinute, (errors.get(thisMinute) ?? 0) + (values[0] ?? 0));
    }
    for (const run of jobRuns) stored.jobRuns.set(`${run.job} ${run.shard}`, run);
    forgetOld(stored, runtime.now());
    this.ctx.storage.kv.put<Stored>("sums", stored);
  }

  async read(): Promise<MetricsReading> {
    const stored = this.#load();
    forgetOld(stored, runtime.now());
    return {
      series: Object.fromEntries(stored.series),
      jobRuns: [...stored.jobRuns.values()],
      recentProviderErrors: [...stored.providerErrors.values()].reduce((sum, n) => sum + n, 0),
    };
  }

  #load(): Stored {
    this.#stored ??= this.ctx.storage.kv.get<Stored>("sums") ?? {
      series: new Map(),
      jobRuns: new Map(),
      providerErrors: new Map(),
    };
    return this.#stored;
  }
}

function addValues(sums: Stored["series"], name: string, values: readonly number[]): void {
  const existing = sums.get(name);
  if (existing?.length === values.length)
    sums.set(
      name,
      existing.map((value, index) => value + (values[index] ?? 0)),
    );
  // A newer version may have other buckets; it starts again from zero, as after a restart.
  else if (existing || sums.size < maxSeries) sums.set(name, [...values]);
}

function forgetOld({ jobRuns, providerErrors }: Stored, now: number): void {
  for (const time of providerErrors.keys())
    if (Math.abs(now - time * minute) > recentErrorsMs) providerErrors.delete(time);
  for (const [key, { at }] of jobRuns) if (now - at > forgetJobAfterMs) jobRuns.delete(key);
}
