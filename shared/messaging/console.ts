import type { MessageSender } from "./sender.ts";

/** Shows messages to the developer instead of sending them: for development alone, since it tells codes. */
export const consoleSender = (show: (line: string) => void): MessageSender => ({
  name: "console",
  async send({ channel, to, text }) {
    show(`[${channel} to ${to}] ${text}`);
    return { type: "sent" };
  },
});
