import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist/web')

type Chunk = {
  file: string
  name?: string
  src?: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
  assets?: string[]
}
type Manifest = Record<string, Chunk>
type Line = { what: string; kb: number; limit: number; note?: string }

/** Drawn only where they are asked for by name, and told apart by what they contain. */
const exempt = /maplibre|MapView|jspdf|autotable|recharts|Chart|us-atlas|topojson|html2canvas|purify|papaparse/i

const kb = (bytes: number): number => bytes / 1024
const gzipped = (file: string): number => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length

const manifestOf = (surface: string): Manifest =>
  JSON.parse(readFileSync(join(folder, `manifest.${surface}.json`), 'utf8')) as Manifest

/** A chunk and all that it needs before it runs. */
const withImports = (manifest: Manifest, key: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(key)) return seen
  seen.add(key)
  for (const next of manifest[key]?.imports ?? []) withImports(manifest, next, seen)
  return seen
}

const entryOf = (manifest: Manifest): string => {
  const found = Object.entries(manifest).find(([, chunk]) => chunk.isEntry)
  if (!found) throw new Error('This build has no entry. Run `npm run build` first.')
  return found[0]
}

const initial = (manifest: Manifest): { js: number; css: number; keys: Set<string> } => {
  const keys = withImports(manifest, entryOf(manifest))
  const chunks = [...keys].map((key) => manifest[key] as Chunk)
  const sum = (files: Iterable<string>): number => [...new Set(files)].reduce((total, file) => total + gzipped(file), 0)
  return { js: kb(sum(chunks.map((c) => c.file))), css: kb(sum(chunks.flatMap((c) => c.css ?? []))), keys }
}

/** What a screen may weigh: its own chunk, and all that its first visit adds to the shell (shared by the screens after it). */
const screenLimits = { own: 60, firstVisit: 176 }

const screens = (manifest: Manifest, loaded: Set<string>): Line[] =>
  Object.entries(manifest)
    .filter(([key, chunk]) => /(Screen|Tab)\.tsx$/.test(key) && !chunk.isEntry)
    .flatMap(([key, chunk]) => {
      const added = [...withImports(manifest, key)]
        .filter((each) => !loaded.has(each))
        .map((each) => manifest[each] as Chunk)
        .filter((c) => !exempt.test(c.file))
      const name = chunk.name ?? key
      const firstVisit = kb(added.reduce((total, c) => total + gzipped(c.file), 0))
      return [
        { what: `screen ${name}`, kb: kb(gzipped(chunk.file)), limit: screenLimits.own },
        { what: `screen ${name}, first visit`, kb: firstVisit, limit: screenLimits.firstVisit },
      ]
    })

const fonts = (surface: string): number =>
  kb(
    globSync(`assets/${surface}/*.woff2`, { cwd: folder }).reduce(
      (total, file) => total + readFileSync(join(folder, file)).length,
      0,
    ),
  )

const precache = (): number => {
  const worker = readFileSync(join(folder, 'sw.js'), 'utf8')
  // The minifier may write the list as one string that is split.
  const files = worker.match(/\/(?:assets\/crew\/[\w.-]+|crew\.html)(?=["'`,])/g) ?? []
  if (files.length < 3) throw new Error('sw.js has no list of files.')
  return kb(
    [...new Set(files)].reduce(
      (total, file) => total + (file.endsWith('.woff2') ? readFileSync(join(folder, file)).length : gzipped(file)),
      0,
    ),
  )
}

const check = (): Line[] => {
  const [admin, crew] = [manifestOf('admin'), manifestOf('crew')]
  const [office, phone] = [initial(admin), initial(crew)]
  return [
    { what: 'office, first JavaScript', kb: office.js, limit: 170 },
    { what: 'office, first CSS', kb: office.css, limit: 25 },
    { what: 'crew, first JavaScript', kb: phone.js, limit: 130 },
    { what: 'crew, first CSS', kb: phone.css, limit: 25 },
    { what: 'crew, kept on the phone', kb: precache(), limit: 600 },
    ...(['admin', 'crew', 'public'] as const).map((surface) => ({
      what: `${surface}, fonts`,
      kb: fonts(surface),
      limit: 80,
    })),
    ...screens(admin, office.keys),
    ...screens(crew, phone.keys),
  ]
}

/** What a page of the public site weighs with its style and its scripts; a form brings its own script, a picture comes when it is scrolled to. */
const publicPages = (): Line[] => {
  const scripts = (html: string) => [...html.matchAll(/<script[^>]* src="\/([^"]+)"/g)].map((match) => match[1] ?? '')
  return globSync('public/*.html', { cwd: folder }).map((page) => {
    const files = scripts(readFileSync(join(folder, page), 'utf8'))
    const bytes = [page, ...files].reduce((total, file) => total + gzipped(file), 0)
    return { what: `page ${page}`, kb: kb(bytes), limit: files.length > 1 ? 30 : 20 }
  })
}

const lines = [...check(), ...publicPages()]
const over = lines.filter((line) => line.kb > line.limit)
const shown = process.argv.includes('--all')
  ? lines
  : [...lines.slice(0, 8), ...over.filter((line) => lines.indexOf(line) >= 8)]
for (const line of shown)
  console.log(
    `${line.kb > line.limit ? 'OVER' : '  ok'} ${line.kb.toFixed(1).padStart(7)} of ${String(line.limit).padStart(3)} KB  ${line.what}`,
  )
if (over.length > 0) {
  console.error(`${over.length} ${over.length === 1 ? 'budget is' : 'budgets are'} broken.`)
  process.exitCode = 1
}
