import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { createDevInstance, startService } from "../end-to-end/dev-process.ts";

/** The service that all browser tests use: each of them creates its own shops, or only reads. */
export type SharedService = Readonly<{ origin: string; stateDir: string }>;

declare module "vitest" {
  interface ProvidedContext {
    service: SharedService;
  }
}

/** Starts the service with empty databases and the demo shops, once for all files. */
export default async function startSharedService(project: TestProject) {
  const { stateDir } = createDevInstance();
  const service = await startService({ stateDir });
  project.provide("service", { origin: service.origin, stateDir });
  return async () => {
    await service.stop().finally(() => rmSync(stateDir, { recursive: true, force: true }));
  };
}
