import { request } from "node:http";

const healthPaths = [
  "/healthz",
  "/v1/link/healthz",
  "/v1/businesses/healthz",
  "/agents/healthz",
] as const;
/** The first request of a Worker evaluates it, which takes seconds on a busy machine. */
const startTimeoutMs = 30_000;
const readinessTimeoutMs = 2_000;

/**
 * Waits until each API has responded. One whose settings are wrong responds with 500, and its log
 * line says which.
 *
 * @throws Error that names the path.
 */
export async function assertHealthy(upstream: URL): Promise<void> {
  await Promise.all(
    healthPaths.map(async (path) => {
      const status = await requestStatus(upstream, path, startTimeoutMs);
      if (status !== 200) throw new Error(`${path} responded with ${status ?? "nothing"}.`);
    }),
  );
}

/** Whether the Workers respond now. */
export const isHealthy = async (upstream: URL): Promise<boolean> =>
  (await requestStatus(upstream, healthPaths[0], readinessTimeoutMs)) === 200;

/** The status of a GET. Null when there is no response in time. */
const requestStatus = (upstream: URL, path: string, timeoutMs: number): Promise<number | null> =>
  new Promise((resolve) => {
    const { hostname: host, port } = upstream;
    const signal = AbortSignal.timeout(timeoutMs);
    request({ host, port, path: `http://localhost${path}`, signal }, (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    })
      .on("error", () => resolve(null))
      .end();
  });
