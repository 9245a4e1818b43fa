import { rmSync } from "node:fs";
import { createDevInstance, startService } from "../end-to-end/dev-process.ts";
import { launchBrowser } from "./launch-browser.ts";
import { readSharedService } from "./shared-service.ts";

/** Launches a browser for the pages of the service that most files share. */
export async function startServiceAndBrowser() {
  const service = readSharedService();
  const browser = await launchBrowser();
  return { browser, service, stop: () => browser.close() };
}

/** Starts a service of the file's own, for many logins at Link: their number of an address is limited. */
export async function startOwnServiceAndBrowser() {
  const { stateDir } = createDevInstance();
  const [browser, service] = await Promise.all([launchBrowser(), startService({ stateDir })]);
  return {
    browser,
    service: { origin: service.origin, stateDir },
    stop: async () => {
      await browser.close();
      await service.stop().finally(() => rmSync(stateDir, { recursive: true, force: true }));
    },
  };
}
