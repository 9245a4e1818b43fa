import { type Facts, log } from "../runtime/log.ts";
import { chance } from "../runtime/runtime.ts";
import { settingsOf } from "../runtime/settings.ts";

/** Does the work, and leaves the line of it that a request leaves of itself. */
export async function logged(
  env: object,
  what: string,
  facts: Facts,
  work: () => Promise<void>,
): Promise<void> {
  const startedAt = chance.now();
  let isDone = false;
  try {
    await work();
    isDone = true;
  } finally {
    const line = { ...facts, is_done: isDone, duration_ms: chance.now() - startedAt };
    if (settingsOf(env).logsRequests) log(isDone ? "info" : "error", what, line);
  }
}
