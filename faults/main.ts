/** `npm run -s faults -- <name> [--kills 10] [--seconds 3] [--writers 6] [--json] [--log]`: the product under load while a part of it is killed. */
const trials: Record<string, () => Promise<(args: string[]) => Promise<void>>> = {
  server: async () => (await import('./kills.ts')).server,
  database: async () => (await import('./kills.ts')).database,
  worker: async () => (await import('./worker.ts')).worker,
  soak: async () => (await import('./soak.ts')).soak,
  invoices: async () => (await import('./invoices.ts')).invoices,
  messages: async () => (await import('./messages.ts')).messages,
  rolling: async () => (await import('./rolling.ts')).rolling,
  crew: async () => (await import('./crew.ts')).crew,
}

const [name, ...args] = process.argv.slice(2)
const load = name === undefined ? undefined : trials[name]
if (load) await (await load())(args)
else {
  console.error(`Which trial? One of: ${Object.keys(trials).join(', ')}`)
  process.exitCode = 2
}
