import { z } from "@hono/zod-openapi";
import { channels } from "../../../shared/messaging/index.ts";
import type { IssuedCode } from "../../../shared/one-time-codes/index.ts";

export const SentCodeView = z.object({
  delivery_channel: z.enum(channels),
  expires_in_seconds: z.number().int(),
  next_resend_in_seconds: z.number().int(),
});

export const viewSentCode = ({
  deliveryChannel,
  expiresInSeconds,
  nextResendInSeconds,
}: IssuedCode): z.infer<typeof SentCodeView> => ({
  delivery_channel: deliveryChannel,
  expires_in_seconds: expiresInSeconds,
  next_resend_in_seconds: nextResendInSeconds,
});
