import type { Device } from "../../shared/link/index.ts";
import type { RequestContext } from "../http/api-env.ts";

const maxDeviceLength = 200;

/** From where a call comes: its User-Agent, and its country as the network knows it. */
export function deviceOf(c: RequestContext): Device {
  const agent = c.req
    .header("user-agent")
    ?.replace(/\p{Cc}/gu, " ")
    .trim();
  const country = c.req.raw.cf?.country ?? c.req.header("cf-ipcountry");
  return {
    device: agent ? agent.slice(0, maxDeviceLength) : null,
    country: typeof country === "string" && /^[A-Z]{2}$/.test(country) ? country : null,
  };
}
