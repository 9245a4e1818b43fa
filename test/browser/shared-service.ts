import { rmSync } from "node:fs";
import { createDevInstance, startService } from "../end-to-end/dev-process.ts";

/** The service that all browser tests use: each of them creates its own shops, or only reads. */
export type SharedService = Readonly<{ origin: string; stateDir: string }>;

const variable = "DUKA_BROWSER_TEST_SERVICE";

/** Starts the service with empty databases and the demo shops, once for all files. */
export default async function startSharedService() {
  const { stateDir } = createDevInstance();
  const service = await startService({ stateDir });
  process.env[variable] = JSON.stringify({ origin: service.origin, stateDir });
  return async () => {
    await service.stop().finally(() => rmSync(stateDir, { recursive: true, force: true }));
  };
}

/** The service that vitest has started before the files, whose processes inherit its address. */
export function readSharedService(): SharedService {
  const { origin, stateDir } = JSON.parse(process.env[variable] ?? "{}");
  if (typeof origin === "string" && typeof stateDir === "string") return { origin, stateDir };
  throw new Error("No service runs. Start the tests with npm run test:browser.");
}
