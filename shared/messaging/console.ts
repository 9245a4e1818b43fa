import type { MessageSender } from "./sender.ts";

/** Prints messages instead of sending them. For development only, because it prints codes. */
export const consoleSender = (show: (line: string) => void): MessageSender => ({
  name: "console",
  async send({ channel, to, text }) {
    show(`[${channel} to ${to}] ${text}`);
    return { type: "sent" };
  },
});
