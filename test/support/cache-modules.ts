type ModuleTransport = {
  resolveId(id: string, importer?: string): Promise<unknown>;
  fetchModule(url: string, importer?: string, options?: { cached?: boolean }): Promise<unknown>;
};

type VitestMocker = { moduleRunner: { vitestOptions: { transport: ModuleTransport } } };

const cachedTransports = new WeakSet<ModuleTransport>();

/**
 * Caches Vitest's module look-ups. Before each call of the Worker or of an object, the test runner
 * would ask the Node process, which serves all workers, for the path of the Worker's module and
 * whether it changed. It did not: Vitest fetches a changed module without `cached`.
 */
export function cacheModuleLookups(): void {
  const { __vitest_mocker__: mocker } = globalThis as unknown as {
    __vitest_mocker__: VitestMocker;
  };
  const { transport } = mocker.moduleRunner.vitestOptions;
  if (cachedTransports.has(transport)) return;
  cachedTransports.add(transport);
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
