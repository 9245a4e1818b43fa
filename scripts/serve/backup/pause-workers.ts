import { spawn } from "node:child_process";
import { isStopped, sendSignal } from "../state/processes.ts";

/** After this the Workers continue by themselves, also when this process was killed meanwhile. */
const maxPauseSeconds = 30;
const stopTimeoutMs = 2_000;

/**
 * Stops all processes of the Workers while `work` runs. Requests wait meanwhile. Returns what `work`
 * returns, and how long the processes were stopped.
 */
export function pauseWorkers<T>(
  pids: readonly number[],
  work: () => T,
): Readonly<{ result: T; pausedMs: number }> {
  const continueLater = `sleep ${maxPauseSeconds}; kill -CONT ${pids.join(" ")}`;
  const watchdog =
    pids.length > 0
      ? spawn("/bin/sh", ["-c", continueLater], { detached: true, stdio: "ignore" })
      : null;
  watchdog?.unref();
  const started = performance.now();
  try {
    for (const pid of pids) sendSignal(pid, "SIGSTOP");
    // The signal has returned before each thread has stopped.
    while (!pids.every(isStopped)) {
      if (performance.now() > started + stopTimeoutMs) throw new Error("The Workers do not stop.");
    }
    const result = work();
    const pausedMs = performance.now() - started;
    // The watchdog has continued the Workers meanwhile, so that the copy is of several moments.
    if (pausedMs > maxPauseSeconds * 1_000)
      throw new Error(`The copy took longer than ${maxPauseSeconds} s. Try again.`);
    return { result, pausedMs };
  } finally {
    for (const pid of pids) sendSignal(pid, "SIGCONT");
    if (watchdog?.pid !== undefined) sendSignal(-watchdog.pid, "SIGKILL");
  }
}
