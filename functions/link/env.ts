import type { ApiBindings } from "../runtime/bindings.ts";
import type { MessageBindings } from "../runtime/message-queue.ts";

export type LinkBindings = ApiBindings & MessageBindings;
