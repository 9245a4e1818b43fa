import { minute, stackOf } from "../../../shared/kernel/index.ts";
import { log } from "../log.ts";

/** What is not done by its handler is tried again after so long. */
const retryAfterMs = minute;

type Times = Readonly<Record<string, number>>;

export type Alarms<Name extends string> = Readonly<{
  /** When it is due; null when it is not to be done. */
  at(name: Name): number | null;
  set(name: Name, at: number): void;
  clear(name: Name): void;
  ring(handlers: Readonly<Record<Name, () => Promise<void>>>, now: number): Promise<void>;
}>;

/**
 * An object's due times by name. The object has one alarm: it is set to the earliest of them. Nothing
 * is awaited here, so that a due time is stored together with what its caller writes beside it.
 */
export function alarmsOf<Name extends string>(storage: DurableObjectStorage): Alarms<Name> {
  const all = (): Times => storage.kv.get<Times>("due") ?? {};

  function store(times: Times): void {
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
    const { [name]: known, ...others } = all();
    if (known !== undefined) store(others);
  }

  return {
    at: (name) => all()[name] ?? null,
    set: (name, at) => store({ ...all(), [name]: at }),
    clear,

    /**
     * Runs what is due, the longest due first. Each is first put off, so that it is run again should
     * the object die or the handler fail; a handler that is done clears its due time or moves it.
     * Never throws: after six throws the runtime would forget the alarm.
     */
    async ring(handlers, now) {
      const times = all();
      // What the alarm rang for is due, though this machine's clock may be a little behind.
      const until = Math.max(now, earliestOf(times) ?? now);
      const due = Object.keys(times)
        .filter((name) => (times[name] ?? until) <= until)
        .sort((one, other) => (times[one] ?? 0) - (times[other] ?? 0));
      const putOff = Object.fromEntries(due.map((name) => [name, now + retryAfterMs]));
      store({ ...times, ...putOff });
      for (const name of due) {
        if (isOneOf(handlers, name)) await reported(name, handlers[name]);
        else clear(name); // stored by an earlier release, which knew it
      }
    },
  };
}

function earliestOf(times: Times): number | null {
  const values = Object.values(times);
  return values.length === 0 ? null : Math.min(...values);
}

const isOneOf = <Name extends string>(
  handlers: Readonly<Record<Name, unknown>>,
  name: string,
): name is Name => Object.hasOwn(handlers, name);

async function reported(name: string, handle: () => Promise<void>): Promise<void> {
  try {
    await handle();
  } catch (error) {
    log("error", "alarm handler failed", { alarm: name, stack: stackOf(error) });
  }
}
