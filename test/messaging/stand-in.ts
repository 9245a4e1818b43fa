export type Asked = Readonly<{ url: string; init: RequestInit }>;

/** A provider that answers as told and keeps what it was asked. */
export function standIn(answer: () => Response | Promise<Response>) {
  const asked: Asked[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    asked.push({ url, init });
    return answer();
  };
  return { asked, fetch };
}

export const json = (body: unknown, init: ResponseInit = {}): Response => Response.json(body, init);

/** A provider that takes the connection and says nothing until it is given up. */
export const silence = (_url: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

/** A body that never ends. */
export const endless = (): Response =>
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
