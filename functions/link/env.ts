import type { SurfaceBindings } from "../http/api-env.ts";
import type { MessageBindings } from "../runtime/message-queue.ts";

export type LinkBindings = SurfaceBindings & MessageBindings;
