/** A run of a background job: when it started, and for how long its oldest record had been due. */
export type JobRun = Readonly<{
  job: string;
  /** Null for a job on CORE. */
  shard: string | null;
  at: number;
  backlogMs: number;
}>;

/**
 * What an isolate has counted since it last handed its sums over. A counter has one number; a
 * histogram has the sum of its values and then the count of each bucket.
 */
export type MetricSums = Readonly<{
  series: Readonly<Record<string, readonly number[]>>;
  jobRuns: readonly JobRun[];
}>;

/** All sums of the deployment. */
export type MetricsReading = MetricSums &
  Readonly<{
    /** Failed calls of providers in the last 15 minutes. */
    recentProviderErrors: number;
  }>;

/** The binding of the object that adds up what all isolates have counted. It has one instance. */
export type MetricsBinding = Readonly<{
  getByName(name: string): Readonly<{
    add(sums: MetricSums): Promise<void>;
    read(): Promise<MetricsReading>;
  }>;
}>;

export const openMetrics = (binding: MetricsBinding) => binding.getByName("deployment");
