import type { Message } from "./message.ts";
import type { MessageSender } from "./sender.ts";

/**
 * Prints messages instead of sending them, and gives them to `keep`. Use it in development only: the
 * output contains login codes.
 */
export const consoleSender = (
  show: (line: string) => void,
  keep: (message: Message) => Promise<void> = async () => {},
): MessageSender => ({
  name: "console",
  async send(message) {
    show(`[${message.channel} to ${message.to}] ${message.text}`);
    await keep(message);
    return { type: "sent", providerId: null };
  },
});
