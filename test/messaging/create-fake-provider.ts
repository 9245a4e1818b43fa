export type ProviderCall = Readonly<{ url: string; init: RequestInit }>;

/** A provider that returns the given response and records its calls. */
export function createFakeProvider(answer: () => Response | Promise<Response>) {
  const calls: ProviderCall[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    calls.push({ url, init });
    return answer();
  };
  return { calls, fetch };
}

export const json = (body: unknown, init: ResponseInit = {}): Response => Response.json(body, init);

/** A provider that never responds until the call is aborted. */
export const neverRespond = (_url: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

/** A response whose body never ends. */
export const endlessResponse = (): Response =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(16 * 1024).fill(32)),
    }),
  );

export const sms = {
  id: "msg_1",
  channel: "sms",
  to: "+233241234567",
  text: "123 & 456 is your code",
  expiresAt: 300_000,
} as const;

export const email = {
  id: "msg_2",
  channel: "email",
  to: "ama@example.com",
  subject: "Your code",
  text: "123456 is your code",
  expiresAt: 300_000,
} as const;
