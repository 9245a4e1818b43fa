/** Runs calls concurrently up to its limits. Further calls wait, and businesses take turns. */
export type BusinessLimiter = Readonly<{
  run(businessId: string, call: () => Promise<void>): Promise<void>;
}>;

/** Creates a limiter of the calls that run at a time: in total, and of one business. */
export function createBusinessLimiter(
  limits: Readonly<{ total: number; perBusiness: number }>,
): BusinessLimiter {
  const waiting = new Map<string, (() => void)[]>();
  const running = new Map<string, number>();
  let total = 0;

  function changeRunning(businessId: string, change: 1 | -1): void {
    total += change;
    const count = (running.get(businessId) ?? 0) + change;
    if (count === 0) running.delete(businessId);
    else running.set(businessId, count);
  }

  function startWaiting(): void {
    for (const [businessId, calls] of waiting) {
      if (total >= limits.total) return;
      if ((running.get(businessId) ?? 0) >= limits.perBusiness) continue;
      const start = calls.shift();
      // Moves the business to the end; the loop reaches it again after the others.
      waiting.delete(businessId);
      if (calls.length > 0) waiting.set(businessId, calls);
      changeRunning(businessId, 1);
      start?.();
    }
  }

  return {
    async run(businessId, call) {
      await new Promise<void>((resolve) => {
        const calls = waiting.get(businessId);
        if (calls) calls.push(resolve);
        else waiting.set(businessId, [resolve]);
        startWaiting();
      });
      try {
        await call();
      } finally {
        changeRunning(businessId, -1);
        startWaiting();
      }
    },
  };
}
