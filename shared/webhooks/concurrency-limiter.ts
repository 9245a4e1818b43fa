/**
 * A call to a receiver. A receiver is failing when its last attempt failed; it then gets fewer
 * concurrent calls.
 */
export type ReceiverCall = Readonly<{ receiver: string; isFailing: () => boolean }>;

/** Runs calls concurrently up to its limits. Further calls wait in a queue. */
export type ConcurrencyLimiter = Readonly<{
  run<T>(call: ReceiverCall, work: () => Promise<T>): Promise<T>;
}>;

type QueuedCall = Readonly<{ call: ReceiverCall; start: () => void }>;

/**
 * Creates a limiter. Failing receivers share a limit of their own, because they are often slow and
 * must not delay the other receivers.
 */
export function createConcurrencyLimiter(
  limits: Readonly<{ total: number; perReceiver: number; forFailing: number }>,
): ConcurrencyLimiter {
  const running = new Set<Readonly<{ call: ReceiverCall }>>();
  const queue: QueuedCall[] = [];

  function mayStart({ receiver, isFailing }: ReceiverCall): boolean {
    const calls = [...running].map(({ call }) => call);
    const ofReceiver = calls.filter((call) => call.receiver === receiver).length;
    if (ofReceiver >= limits.perReceiver) return false;
    return !isFailing() || calls.filter((call) => call.isFailing()).length < limits.forFailing;
  }

  function startQueued(): void {
    while (running.size < limits.total) {
      const index = queue.findIndex(({ call }) => mayStart(call));
      const [next] = index < 0 ? [] : queue.splice(index, 1);
      if (!next) return;
      next.start();
    }
  }

  return {
    async run(call, work) {
      const entry = { call };
      await new Promise<void>((resolve) => {
        const start = () => {
          running.add(entry);
          resolve();
        };
        queue.push({ call, start });
        startQueued();
      });
      try {
        return await work();
      } finally {
        running.delete(entry);
        startQueued();
      }
    },
  };
}
