import { deployOrder } from "./workers.ts";

/** Whether an address responds with a 2xx status. */
export type RespondsAt = (url: string) => Promise<boolean>;

const timeoutMs = 10_000;
const pauseMs = 3_000;
/** A new name below workers.dev, or the certificate of a new domain, takes a few minutes. */
const attempts = 100;

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, pauseMs));

export const respondsAt: RespondsAt = async (url) => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })).ok;
  } catch {
    return false;
  }
};

/**
 * Waits until every Worker with a health check is healthy. Returns the addresses that did not
 * respond in time.
 */
export async function findUnhealthy(
  origin: string,
  responds: RespondsAt,
  waitBeforeRetry: () => Promise<void> = pause,
): Promise<string[]> {
  let urls = deployOrder.flatMap(({ health }) => (health === null ? [] : [`${origin}${health}`]));
  for (let attempt = 1; ; attempt += 1) {
    const responses = await Promise.all(urls.map(responds));
    urls = urls.filter((_, index) => !responses[index]);
    if (urls.length === 0 || attempt === attempts) return urls;
    await waitBeforeRetry();
  }
}
