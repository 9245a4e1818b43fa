import { inject } from "vitest";
import { launchBrowser } from "./launch-browser.ts";
import "./shared-service.ts"; // declares what it provides

/** Launches a browser for the pages of the service that all files share. */
export async function startServiceAndBrowser() {
  const service = inject("service");
  const browser = await launchBrowser();
  return { browser, service, stop: () => browser.close() };
}
