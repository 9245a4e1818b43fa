type Transport = {
  resolveId(id: string, importer?: string): Promise<unknown>;
  fetchModule(url: string, importer?: string, options?: { cached?: boolean }): Promise<unknown>;
};

type Mocker = { moduleRunner: { vitestOptions: { transport: Transport } } };

const known = new WeakSet<Transport>();

/**
 * Keeps what Node has told of modules. Before each call of the Worker or of an object the test runner
 * would ask it, two messages to the one process that serves all workers, where the Worker's module is
 * and whether it is still the same: it is, since one that changed is asked for without `cached`.
 */
export function loadModulesOnce(): void {
  const { __vitest_mocker__: mocker } = globalThis as unknown as { __vitest_mocker__: Mocker };
  const { transport } = mocker.moduleRunner.vitestOptions;
  if (known.has(transport)) return;
  known.add(transport);
  const { resolveId, fetchModule } = transport;
  const resolved = new Map<string, unknown>();
  transport.resolveId = async (id, importer) => {
    if (importer !== undefined) return resolveId(id, importer);
    if (!resolved.has(id)) resolved.set(id, await resolveId(id));
    return resolved.get(id);
  };
  transport.fetchModule = async (url, importer, options) =>
    options?.cached ? { cache: true } : fetchModule(url, importer, options);
}
