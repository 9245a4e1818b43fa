import { minute, stackOf } from "../../../shared/kernel/index.ts";
import { log } from "../log.ts";

/**
 * When a handler fails or its object crashes, the handler runs again after this time, unless the
 * alarm has another one.
 */
const defaultRetryAfterMs = minute;

type DueTimes = Readonly<Record<string, number>>;

export type Alarms<Name extends string> = Readonly<{
  /** When the named alarm is due, in epoch milliseconds; null when that alarm is not set. */
  dueAt(name: Name): number | null;
  set(name: Name, dueAt: number): void;
  clear(name: Name): void;
  runDue(handlers: Readonly<Record<Name, () => Promise<void>>>, now: number): Promise<void>;
}>;

/**
 * Several named alarms in one Durable Object. Cloudflare has one alarm per object, which is set to
 * the earliest due time. Does not await, so a due time is stored together with the caller's other
 * writes.
 *
 * @param retryAfterMs by alarm. A handler that sets its alarm to that time causes no further write.
 */
export function createAlarms<Name extends string>(
  storage: DurableObjectStorage,
  retryAfterMs: ReadonlyMap<NoInfer<Name>, number> = new Map(),
): Alarms<Name> {
  const load = (): DueTimes => storage.kv.get<DueTimes>("due") ?? {};

  function store(times: DueTimes): void {
    const earliest = earliestOf(times);
    if (earliest === null) {
      storage.kv.delete("due");
      void storage.deleteAlarm();
    } else {
      storage.kv.put("due", times);
      void storage.setAlarm(earliest);
    }
  }

  function clear(name: string): void {
    const { [name]: dueAt, ...others } = load();
    if (dueAt !== undefined) store(others);
  }

  return {
    dueAt: (name) => load()[name] ?? null,
    set(name, dueAt) {
      const times = load();
      if (times[name] !== dueAt) store({ ...times, [name]: dueAt });
    },
    clear,

    /**
     * Runs the due handlers, the earliest first. Each alarm is first moved to its next attempt, in
     * case its handler fails; a handler that succeeds clears or moves its alarm. Never throws, because
     * Cloudflare drops an alarm after six errors.
     */
    async runDue(handlers, now) {
      const times = load();
      // The earliest alarm counts as due even when this machine's clock is a little slow.
      const dueUntil = Math.max(now, earliestOf(times) ?? now);
      const due = Object.keys(times)
        .filter((name) => (times[name] ?? dueUntil) <= dueUntil)
        .sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
      const retries: ReadonlyMap<string, number> = retryAfterMs;
      const postponed = Object.fromEntries(
        due.map((name) => [name, now + (retries.get(name) ?? defaultRetryAfterMs)]),
      );
      store({ ...times, ...postponed });
      for (const name of due) {
        if (hasHandler(handlers, name)) await runLogged(name, handlers[name]);
        // A newer version of the code may have no handler for a stored alarm.
        else clear(name);
      }
    },
  };
}

function earliestOf(times: DueTimes): number | null {
  const values = Object.values(times);
  return values.length === 0 ? null : Math.min(...values);
}

const hasHandler = <Name extends string>(
  handlers: Readonly<Record<Name, unknown>>,
  name: string,
): name is Name => Object.hasOwn(handlers, name);

async function runLogged(name: string, handle: () => Promise<void>): Promise<void> {
  try {
    await handle();
  } catch (error) {
    log("error", "alarm handler failed", { alarm: name, stack: stackOf(error) });
  }
}
