import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

type Fingerprint = { content: string; stats: string }

const folders = ['src', 'web', 'scripts/web']
const single = ['scripts/build-web.ts', 'scripts/build-public.ts', 'package-lock.json']
/** The server's half never reaches a browser, so a change there needs no build. */
const serverOnly =
  /(^|\/)(server|platform|test|solver|__snapshots__)\/|\.test\.tsx?$|^src\/(main-api|main-worker|app-server)\.ts$/

const inputs = (): string[] =>
  [
    ...folders.flatMap((folder) => globSync('**/*.*', { cwd: join(root, folder) }).map((path) => `${folder}/${path}`)),
    ...single,
  ]
    .filter((path) => !serverOnly.test(path) && existsSync(join(root, path)))
    .sort()

const hash = (parts: Iterable<string | Buffer>): string => {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part).update('\0')
  return sum.digest('hex').slice(0, 16)
}

const statsOf = (paths: readonly string[]): string =>
  hash(
    paths.map((path) => {
      const { size, mtimeMs } = statSync(join(root, path))
      return `${path} ${size} ${mtimeMs}`
    }),
  )

const contentOf = (paths: readonly string[]): string =>
  hash(paths.flatMap((path) => [path, readFileSync(join(root, path))]))

const markPath = (outDir: string): string => join(dirname(outDir), '.web-build.json')

/** A hash of everything that the web is built from. */
export const buildInputs = (): Fingerprint => {
  const paths = inputs()
  return { content: contentOf(paths), stats: statsOf(paths) }
}

/** True when `outDir` holds what the sources say: by size and time first, by content when those differ (a checkout touches files). */
export const isFresh = (outDir: string): boolean => {
  if (!existsSync(join(outDir, 'index.html')) || !existsSync(markPath(outDir))) return false
  const fingerprint = JSON.parse(readFileSync(markPath(outDir), 'utf8')) as Fingerprint
  const paths = inputs()
  const stats = statsOf(paths)
  if (fingerprint.stats === stats) return true
  if (fingerprint.content !== contentOf(paths)) return false
  markFresh(outDir, { content: fingerprint.content, stats })
  return true
}

export const markFresh = (outDir: string, fingerprint: Fingerprint): void => {
  mkdirSync(dirname(outDir), { recursive: true })
  writeFileSync(markPath(outDir), JSON.stringify(fingerprint))
}
