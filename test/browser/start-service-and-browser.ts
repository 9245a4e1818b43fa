import { launchBrowser } from "./launch-browser.ts";
import { readSharedService } from "./shared-service.ts";

/** Launches a browser for the pages of the service that all files share. */
export async function startServiceAndBrowser() {
  const service = readSharedService();
  const browser = await launchBrowser();
  return { browser, service, stop: () => browser.close() };
}
