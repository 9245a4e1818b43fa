/** Who is called: whether its last attempt failed decides how much room it gets. */
export type Called = Readonly<{ receiver: string; isFailing: () => boolean }>;

/** Runs works at once, each in a lane of its own, as far as there is room; the others wait their turn. */
export type Lanes = Readonly<{
  run<T>(called: Called, work: () => Promise<T>): Promise<T>;
}>;

type Waiting = Readonly<{ called: Called; start: () => void }>;
type Busy = { called: Called };

/**
 * Lanes of which no receiver has more than its share, and those that fail have no more than theirs
 * together: however slow some are, the others find room.
 */
export function lanes({
  count,
  ofOneReceiver,
  ofFailing,
}: Readonly<{ count: number; ofOneReceiver: number; ofFailing: number }>): Lanes {
  const busy = new Set<Busy>();
  const waiting: Waiting[] = [];

  function hasRoom({ receiver, isFailing }: Called): boolean {
    const others = [...busy].map(({ called }) => called);
    const own = others.filter((other) => other.receiver === receiver).length;
    if (own >= ofOneReceiver) return false;
    return !isFailing() || others.filter((other) => other.isFailing()).length < ofFailing;
  }

  function startWhatFits(): void {
    while (busy.size < count) {
      const next = waiting.findIndex(({ called }) => hasRoom(called));
      const [started] = next < 0 ? [] : waiting.splice(next, 1);
      if (!started) return;
      started.start();
    }
  }

  return {
    async run(called, work) {
      const lane: Busy = { called };
      await new Promise<void>((resolve) => {
        const start = () => {
          busy.add(lane);
          resolve();
        };
        waiting.push({ called, start });
        startWhatFits();
      });
      try {
        return await work();
      } finally {
        busy.delete(lane);
        startWhatFits();
      }
    },
  };
}
