import { isFullTable } from "../payment-cases.ts";

/** What happens to one call of a provider. Each but `none` ends without its own response. */
export const networkFaults = [
  "request lost",
  "response lost",
  "delivered twice",
  "delivered late",
  "webhook first",
] as const;
export type NetworkFault = (typeof networkFaults)[number];

/** The faults of this run: all of them in the full table, otherwise a sample. */
export const faultsOfRun: readonly NetworkFault[] = isFullTable
  ? networkFaults
  : ["response lost", "delivered late"];

/** How a stand-in answers a call; the call has taken effect when it returns. */
export type Answer = (request: Request) => Promise<Response>;

/**
 * A network to a provider on which one call fails. A call that is delivered late takes effect when
 * `arrive` is called.
 */
export function createFaultyNetwork(answer: Answer) {
  let count = 0;
  let failing: Readonly<{ at: number; fault: NetworkFault }> | null = null;
  let late: (() => Promise<unknown>) | null = null;
  let onEffect: () => Promise<void> = async () => {};

  async function failCall(fault: NetworkFault, request: Request): Promise<Response> {
    const lost = new TypeError("Network connection lost.");
    switch (fault) {
      case "request lost":
        throw lost;
      case "response lost":
        await answer(request);
        throw lost;
      case "delivered twice":
        await answer(request.clone());
        return answer(request);
      case "delivered late":
        late = () => answer(request);
        throw lost;
      case "webhook first": {
        const response = await answer(request);
        await onEffect();
        return response;
      }
    }
  }

  return {
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      const request = new Request(url, init);
      count += 1;
      const isFailing = failing?.at === count;
      return failing && isFailing ? failCall(failing.fault, request) : answer(request);
    },
    /** The calls since the last `failNext`. */
    count: () => count,
    /** Lets the call of this number fail, counted from now on. */
    failNext(at: number, fault: NetworkFault, whenFirst = async () => {}): void {
      count = 0;
      failing = { at, fault };
      onEffect = whenFirst;
    },
    /** Lets the late call take effect now, once. */
    async arrive(): Promise<void> {
      const send = late;
      late = null;
      await send?.();
    },
  };
}

export type FaultyNetwork = ReturnType<typeof createFaultyNetwork>;
