import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { senderTypes } from "../../../shared/support/index.ts";
import type { ApiEnv } from "../../http/context.ts";
import type { ApiBindings } from "../../runtime/bindings.ts";
import { jsonValue } from "../fields.ts";
import { clientId, messageContent } from "../message-fields.ts";
import { ConversationView, MessageView } from "./support.ts";

/** The frames that a client may send (docs/contract/events.md#support-client-frames). */
export const clientFrame = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("ping") }),
    z.object({ type: z.literal("pong") }),
    z.object({ type: z.literal("typing") }),
    z.object({ type: z.literal("message"), content: messageContent(), client_id: clientId() }),
  ])
  .openapi("SupportClientFrame");

/** The frames that the server sends (docs/contract/events.md#support-server-frames). */
const serverFrame = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("resync"),
      latest_message_at: z.string().nullable(),
      socket_id: z.string().openapi({ description: "Names this socket at a login." }),
    }),
    z.object({ type: z.literal("message"), message: MessageView }),
    z.object({ type: z.literal("conversation"), conversation: ConversationView }),
    z.object({ type: z.literal("typing"), sender_type: z.enum(senderTypes) }),
    z.object({ type: z.literal("ping"), at: z.string() }),
    z.object({ type: z.literal("pong") }),
    z.object({
      type: z.literal("error"),
      code: z.string(),
      message: z.string(),
      context: z.record(z.string(), jsonValue).optional(),
      client_id: z
        .string()
        .nullable()
        .openapi({ description: "The refused message. Null when the frame was none." }),
    }),
  ])
  .openapi("SupportServerFrame");

export type ClientFrame = z.infer<typeof clientFrame>;
export type ServerFrame = z.infer<typeof serverFrame>;

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The field of a socket's operation that names the schemas of its frames. */
export const socketFrames = {
  "x-websocket": {
    sends: reference("SupportClientFrame"),
    receives: reference("SupportServerFrame"),
  },
};

/** Adds the schemas of the frames to the OpenAPI document. */
export function documentFrames<B extends ApiBindings>(app: OpenAPIHono<ApiEnv<B>>): void {
  app.openAPIRegistry.register("SupportClientFrame", clientFrame);
  app.openAPIRegistry.register("SupportServerFrame", serverFrame);
}
