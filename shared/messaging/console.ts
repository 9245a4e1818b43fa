import type { Message } from "./message.ts";
import type { MessageSender } from "./sender.ts";

/**
 * Prints messages instead of sending them, and gives them to `keep`, which returns whether it took the
 * message. Use it in development only: the output contains login codes.
 */
export const consoleSender = (
  show: (line: string) => void,
  keep: (message: Message) => Promise<boolean> = async () => true,
): MessageSender => ({
  name: "console",
  async send(message) {
    show(`[${message.channel} to ${message.to}] ${message.text}`);
    if (!(await keep(message)))
      return { type: "refused", reason: "bounced", isBounce: message.channel === "email" };
    return { type: "sent", providerId: null };
  },
});
