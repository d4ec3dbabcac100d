import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { asProduction } from './web/as-production.ts'
import { buildInputs, isFresh, markFresh } from './web/freshness.ts'
import { mapsOf, takeMaps } from './web/maps.ts'

const root = join(import.meta.dirname, '..')
const publicBuild = join(root, 'scripts/build-public.ts')

type Chunk = { file: string; css?: string[]; assets?: string[] }

/** What the crew app needs without a signal: every file of its build but the map, which is only drawn with one, and what no phone of a crew opens. */
const crewFiles = (folder: string): string[] => {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.crew.json'), 'utf8')) as Record<string, Chunk>
  const files = Object.entries(manifest)
    .filter(
      ([source]) =>
        !/maplibre|jspdf|us-atlas|startTour|startSupport|played|TourBar|TourEnded|SupportEnded/.test(source),
    )
    .flatMap(([, chunk]) => [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])])
    .filter((file) => file.startsWith('assets/') && !/maplibre|counties|states-|MapCanvas/.test(file))
  return [...new Set(files)].map((file) => `/${file}`).sort()
}

const buildInto = async (folder: string, buildId: string): Promise<void> => {
  const [{ build }, { htmlConfig, workerConfig }, { compressFiles }] = await Promise.all([
    import('vite'),
    import('./web/config.ts'),
    import('./web/compress.ts'),
  ])
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'web/public'), folder, { recursive: true })
  await Promise.all([build(htmlConfig('admin', 'index.html', folder)), build(htmlConfig('crew', 'crew.html', folder))])
  await build(workerConfig(folder, ['/crew.html', ...crewFiles(folder)], buildId))
  if (existsSync(publicBuild)) {
    const { buildPublic } = (await import(pathToFileURL(publicBuild).href)) as {
      buildPublic: (outDir: string) => Promise<unknown>
    }
    await buildPublic(folder)
  }
  takeMaps(folder, `${folder}.maps`)
  await compressFiles(folder)
}

/** One build at a time per folder: a second start waits for the first and then finds its work done. */
const withLock = async (path: string, work: () => Promise<void>): Promise<void> => {
  mkdirSync(dirname(path), { recursive: true })
  for (;;) {
    try {
      mkdirSync(path)
      break
    } catch {
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
      if (age > 120_000) rmSync(path, { recursive: true, force: true })
      else await wait(100)
    }
  }
  try {
    await work()
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}

/**
 * Builds the office app, the crew app, its service worker and the public pages into `outDir`. The new build takes the place of the
 * old one at the end, so a running server never serves half of one.
 * @returns false when nothing had to be built
 */
export const buildWeb = async ({ outDir = join(root, 'dist/web'), ifStale = false } = {}): Promise<boolean> => {
  if (ifStale && isFresh(outDir)) return false
  let built = false
  await withLock(`${outDir}.lock`, async () => {
    if (ifStale && isFresh(outDir)) return
    const fingerprint = buildInputs()
    const next = `${outDir}.next`
    rmSync(next, { recursive: true, force: true })
    await asProduction(() => buildInto(next, fingerprint.content))
    rmSync(`${outDir}.old`, { recursive: true, force: true })
    if (existsSync(outDir)) renameSync(outDir, `${outDir}.old`)
    renameSync(next, outDir)
    rmSync(mapsOf(outDir), { recursive: true, force: true })
    renameSync(`${next}.maps`, mapsOf(outDir))
    rmSync(`${outDir}.old`, { recursive: true, force: true })
    markFresh(outDir, fingerprint)
    built = true
  })
  return built
}

if (import.meta.main) {
  const started = performance.now()
  const built = await buildWeb({ ifStale: process.argv.includes('--if-stale') })
  if (built) console.log(`Web built in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
