import { minute, stackOf } from "../../../shared/kernel/index.ts";
import { log } from "../log.ts";

/** A handler that fails, or whose object dies, runs again after this time. */
const retryAfterMs = minute;

type DueTimes = Readonly<Record<string, number>>;

export type Alarms<Name extends string> = Readonly<{
  /** When it is due, in epoch milliseconds; null when it is not set. */
  dueAt(name: Name): number | null;
  set(name: Name, dueAt: number): void;
  clear(name: Name): void;
  runDue(handlers: Readonly<Record<Name, () => Promise<void>>>, now: number): Promise<void>;
}>;

/**
 * Named alarms of an object. The platform gives an object one alarm, which is set to the earliest due
 * time. Nothing is awaited, so a due time is stored together with its caller's other writes.
 */
export function createAlarms<Name extends string>(storage: DurableObjectStorage): Alarms<Name> {
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
    set: (name, dueAt) => store({ ...load(), [name]: dueAt }),
    clear,

    /**
     * Runs the handlers that are due, the earliest first. Each is postponed before it runs, in case
     * the object dies or the handler fails; a handler that succeeds clears or moves its due time.
     * Never throws: after six throws the platform would drop the alarm.
     */
    async runDue(handlers, now) {
      const times = load();
      // The earliest is due even if this machine's clock is a little behind the alarm's.
      const dueUntil = Math.max(now, earliestOf(times) ?? now);
      const due = Object.keys(times)
        .filter((name) => (times[name] ?? dueUntil) <= dueUntil)
        .sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
      const postponed = Object.fromEntries(due.map((name) => [name, now + retryAfterMs]));
      store({ ...times, ...postponed });
      for (const name of due) {
        if (hasHandler(handlers, name)) await runLogged(name, handlers[name]);
        else clear(name); // the code no longer has this alarm
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
