import { day, second } from "../../../../shared/kernel/index.ts";

type Known = Readonly<{
  /** The generation that the session's object confirmed, and when; null before it confirmed one. */
  generation: number | null;
  confirmedAt: number;
  customerId: string | null;
  /** No generation below is taken for current without asking. */
  lowest: number;
  raisedAt: number;
  /** The customer who was erased from this conversation; null for nobody. */
  erased: string | null;
}>;

const nobody: Known = {
  generation: null,
  confirmedAt: 0,
  customerId: null,
  lowest: 0,
  raisedAt: 0,
  erased: null,
};

/** The session's use is noted there at least so often. */
const askAgainMs = day;
/** A session stores the generation that it announced at once: after so long it never will. */
const raisedWithinMs = 10 * second;

/**
 * Who holds the conversation's session, as far as the session's object has told: its word is kept, so
 * that a call costs no second hop, until that object announces another generation.
 */
export function conversationHolder(storage: DurableObjectStorage) {
  let known = storage.kv.get<Known>("holder") ?? nobody;

  function store(change: Partial<Known>): void {
    known = { ...known, ...change };
    storage.kv.put("holder", known);
  }

  return {
    isConfirmed: (generation: number): boolean => known.generation === generation,
    isToAskAgain: (now: number): boolean => now - known.confirmedAt > askAgainMs,

    /** Whether a new generation was announced just now, so that a socket of an earlier one must wait. */
    isOvertaken: (generation: number, now: number): boolean =>
      generation < known.lowest && now - known.raisedAt < raisedWithinMs,

    /** The customer to whom what is said belongs; null for a guest. */
    customerId: (): string | null => (known.customerId === known.erased ? null : known.customerId),

    /** Takes the session's word, unless it announced a later generation meanwhile. */
    confirm(
      holder: Readonly<{ generation: number; customerId: string | null }>,
      now: number,
    ): void {
      if (holder.generation >= known.lowest) store({ ...holder, confirmedAt: now });
    },

    raise(generation: number, now: number): void {
      const lowest = Math.max(known.lowest, generation);
      store({ generation: null, lowest, raisedAt: now });
    },

    erase: (customerId: string): void => store({ erased: customerId }),
  };
}
