import { rmSync } from "node:fs";
import { createDevInstance, startService } from "../end-to-end/dev-process.ts";
import { launchBrowser } from "./launch-browser.ts";

/** Starts a service with empty databases, and a browser that opens its pages. */
export async function startServiceAndBrowser() {
  const instance = await createDevInstance();
  const [browser, service] = await Promise.all([launchBrowser(), startService(instance)]);
  return {
    browser,
    service,
    stateDir: instance.stateDir,
    stop: async () => {
      await browser.close();
      await service
        .stop()
        .finally(() => rmSync(instance.stateDir, { recursive: true, force: true }));
    },
  };
}
