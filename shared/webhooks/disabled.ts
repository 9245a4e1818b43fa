import { ruleBroken } from "../kernel/index.ts";

/** Nothing is sent to a subscription that is disabled. */
export const webhookDisabled = () =>
  ruleBroken("WEBHOOK_DISABLED", "The webhook is disabled; set its status to active first.");
