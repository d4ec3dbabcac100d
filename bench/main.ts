/** `npm run -s bench -- <name> [flags]`: each bench is a module with `run(args)`, added here by its name. */
const benches: Record<string, () => Promise<{ run(args: string[]): void | Promise<void> }>> = {
  analytics: () => import('./analytics/main.ts'),
  arrival: () => import('./arrival/main.ts'),
  api: () => import('./api/main.ts'),
  crew: () => import('./crew/main.ts'),
  desk: () => import('./desk/main.ts'),
  day: () => import('./day/main.ts'),
  invoices: () => import('./invoices/main.ts'),
  import: () => import('./import/main.ts'),
  live: () => import('./live/main.ts'),
  messages: () => import('./messages/main.ts'),
  map: () => import('./map/main.ts'),
  routing: () => import('./routing/main.ts'),
  sales: () => import('./sales/main.ts'),
  scale: () => import('./scale/main.ts'),
  schedule: () => import('./schedule/main.ts'),
  travel: () => import('./travel/main.ts'),
  season: () => import('./season/main.ts'),
  start: () => import('./start/main.ts'),
  web: () => import('./web/main.ts'),
}

const [name, ...args] = process.argv.slice(2)
const load = name === undefined ? undefined : benches[name]
if (load) await (await load()).run(args)
else {
  console.error(`Which bench? One of: ${Object.keys(benches).join(', ')}`)
  process.exitCode = 2
}
