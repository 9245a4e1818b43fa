import type { MessageSender } from "./sender.ts";

/**
 * Prints messages instead of sending them. Use it in development only: the output contains login
 * codes.
 */
export const consoleSender = (show: (line: string) => void): MessageSender => ({
  name: "console",
  async send({ channel, to, text }) {
    show(`[${channel} to ${to}] ${text}`);
    return { type: "sent", providerId: null };
  },
});
