/** What is needed to watch the Workers and to start them again. */
export type WorkerControls = Readonly<{
  isHealthy: () => Promise<boolean>;
  /** Stops what is left of the Workers, starts them, and waits until they are ready. */
  restart: () => Promise<void>;
  pause: (ms: number) => Promise<void>;
  now: () => number;
  report: (message: string) => void;
}>;

const pollMs = 3_000;
/** A single check can fail while wrangler reloads a changed Worker. */
const failuresUntilRestart = 3;
const pollAfterFailureMs = 500;
const maxRestarts = 3;
const restartWindowMs = 60_000;

/**
 * Starts the Workers again whenever they stop responding, for example because their processes were
 * killed. Returns when this happens too often, because another start would not help.
 */
export async function keepRunning(controls: WorkerControls): Promise<void> {
  let restartTimes: number[] = [];
  for (;;) {
    await waitUntilUnhealthy(controls);
    restartTimes = restartTimes.filter((time) => time > controls.now() - restartWindowMs);
    if (restartTimes.length === maxRestarts) {
      controls.report(
        `The Workers stopped again after ${maxRestarts} restarts within a minute. Fix the cause, and run npm run dev again.`,
      );
      return;
    }
    restartTimes.push(controls.now());
    controls.report("The Workers have stopped responding. Starting them again…");
    try {
      await controls.restart();
      controls.report("The Workers run again.");
    } catch (error) {
      controls.report(`The Workers did not start: ${String(error)}`);
    }
  }
}

async function waitUntilUnhealthy({ isHealthy, pause }: WorkerControls): Promise<void> {
  for (let failures = 0; failures < failuresUntilRestart; ) {
    await pause(failures === 0 ? pollMs : pollAfterFailureMs);
    failures = (await isHealthy()) ? 0 : failures + 1;
  }
}
