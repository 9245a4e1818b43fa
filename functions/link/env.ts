import type { MessageBindings } from "../http/message-queue.ts";
import type { SurfaceBindings } from "../http/surface-env.ts";

export type LinkBindings = SurfaceBindings & MessageBindings;
