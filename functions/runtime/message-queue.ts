import { z } from "@hono/zod-openapi";
import { stackOf, unavailable } from "../../shared/kernel/index.ts";
import type { Message } from "../../shared/messaging/index.ts";
import { log } from "./log.ts";
import { seal, unseal } from "./sealing.ts";
import { secretFor } from "./secrets.ts";
import type { Settings } from "./settings.ts";

/** What lies in the queue: neither a code nor its recipient can be read there. */
export type SealedMessage = Readonly<{ sealed: string }>;

/** What a Worker that writes to people is bound to. */
export type MessageBindings = Readonly<{ MESSAGES: Queue<SealedMessage> }>;

const Sealed = z.object({ sealed: z.string() });
const common = { id: z.string(), to: z.string(), text: z.string(), expiresAt: z.number().int() };
const Opened: z.ZodType<Message> = z.discriminatedUnion("channel", [
  z.object({ ...common, channel: z.literal("sms") }),
  z.object({ ...common, channel: z.literal("email"), subject: z.string() }),
]);

/**
 * Hands a message to the background Worker.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the queue did not take it.
 */
export async function queueMessage(
  { MESSAGES }: MessageBindings,
  settings: Settings,
  message: Message,
): Promise<void> {
  const secret = await secretFor(settings, "queued messages");
  const body = { sealed: await seal(JSON.stringify(message), secret) };
  try {
    await MESSAGES.send(body);
  } catch (error) {
    log("error", "message not queued", { stack: stackOf(error) });
    throw unavailable("The message could not be sent; try again.");
  }
}

/** A queued message, opened; null for what was not sealed here, or under a secret since changed. */
export async function openMessage(body: unknown, settings: Settings): Promise<Message | null> {
  const queued = Sealed.safeParse(body);
  if (!queued.success) return null;
  const secret = await secretFor(settings, "queued messages");
  try {
    return Opened.parse(JSON.parse(await unseal(queued.data.sealed, secret)));
  } catch {
    return null; // forged, cut short or sealed otherwise: no repeat would open it
  }
}
