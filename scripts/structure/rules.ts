import { posix } from 'node:path'
import { recordParam } from '../../src/shared/links.ts'

// The rules of CONTRIBUTING.md about files and imports, as pure functions over paths and texts.

/** A file of the project: path from the root with forward slashes. */
export type SourceFile = { path: string; text: string }

const serverNames = ['endpoints', 'queries', 'commands', 'policy', 'tasks', 'templates']
const emptyNames = /^(index|utils?|helpers?|types|common|misc|shared|lib)\.tsx?$/
const part = '[a-z][a-z0-9-]*'

const allowedInFeature = [
  new RegExp(`^src/features/${part}/(${part}/)?(contract|rules)(\\.test)?\\.ts$`),
  // Beside the named files, one file a subject: only its own feature may import it (openToOthers below).
  new RegExp(`^src/features/${part}/(${part}/)?server/(${part}/)?${part}\\.ts$`),
  new RegExp(`^src/features/${part}/(${part}/)?server/(${part}/)?[a-z][a-zA-Z-]*\\.test\\.ts$`),
  new RegExp(`^src/features/${part}/(${part}/)?web/(${part}/)*[A-Za-z][A-Za-z0-9-]*(\\.test)?\\.tsx?$`),
  new RegExp(`^src/features/${part}/(${part}/)?web/(${part}/)*[A-Za-z][A-Za-z0-9.-]*\\.(css|png|jpg|webp|svg|json)$`),
]

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path)
export const isGenerated = (path: string): boolean => /\.generated\.(ts|json)$/.test(path)

/** What a path breaks, in words, or null. */
export const checkName = (path: string): string | null => {
  if (!path.startsWith('src/')) return null
  if (emptyNames.test(posix.basename(path))) return 'a name that says nothing; name the file after what it holds'
  if (path.startsWith('src/features/') && !allowedInFeature.some((shape) => shape.test(path))) {
    return `not one of the files of a feature (contract, rules, server/{${serverNames.join(',')}, a-subject}, web/...)`
  }
  return null
}

/** Lines a file may have. */
export const lineLimit = (path: string): number => (isTest(path) ? 600 : 500)

export const checkSize = ({ path, text }: SourceFile): string | null => {
  if (isGenerated(path)) return null
  const lines = text.split('\n').length - 1
  return lines > lineLimit(path) ? `${lines} lines; the most is ${lineLimit(path)}` : null
}

// The queue and the heartbeat go by the database's own time: processes whose clocks differ must agree on it.
const byTheDatabasesTime = /^src\/platform\/(tasks\/|db\/migrate\.ts)/

/** The server's time comes from `clock` so that tests can set it. */
export const checkClock = ({ path, text }: SourceFile): string[] => {
  const watched =
    /^src\/(platform\/|features\/.*\/server\/)/.test(path) && path !== 'src/platform/clock.ts' && !isTest(path)
  if (!watched) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      /\bnew Date\(\s*\)|\bDate\.now\(/.test(line) ||
      (!byTheDatabasesTime.test(path) && /(?<!\.)\b(now\(\)|current_(timestamp|date)\b)/i.test(line))
        ? [`line ${index + 1}: time comes from clock.now()`]
        : [],
    )
}

const moneyFeatures =
  /^src\/features\/(payments|subscriptions|invoices|billing|prospects\/(fee|sprint)|owner|marketing)\//

/** Which provider takes money, and whether it is played, is known to platform/payments alone; elsewhere a payment has a provider and a livemode. */
export const checkPaymentSeam = ({ path, text }: SourceFile): string[] =>
  isTest(path) || !moneyFeatures.test(path)
    ? []
    : text
        .split('\n')
        .flatMap((line, index) =>
          /'local'|"local"|\btestMode\b/.test(line)
            ? [`line ${index + 1}: only platform/payments knows which provider it is`]
            : [],
        )

const recordNames = Object.values(recordParam).join('|')
const gluedLink = new RegExp(`[?&](?:${recordNames})=|hubPath\\([^)]*\\)\\}[?&]`)

/** An address that names a record is asked of `linkTo`: glued by hand it names parameters that no screen reads. */
export const checkLinks = ({ path, text }: SourceFile): string[] =>
  !path.startsWith('src/') || path === 'src/shared/links.ts' || isTest(path)
    ? []
    : text
        .split('\n')
        .flatMap((line, index) =>
          gluedLink.test(line) ? [`line ${index + 1}: a glued link to a record; use linkTo (src/shared/links.ts)`] : [],
        )

export const checkExports = ({ path, text }: SourceFile): string | null =>
  path.startsWith('src/') && /^export default\b/m.test(text) ? 'a default export; export it by its name' : null

const importPattern =
  /(?:^|[\s;])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|[\s;])import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

/** The files of ours that a file imports, as paths from the root; packages are left out. */
export const importsOf = ({ path, text }: SourceFile): string[] => {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  return [...code.matchAll(importPattern)].flatMap((match) => {
    const name = (match[1] ?? match[2] ?? match[3] ?? '').replace(/\?.*$/, '')
    if (name.startsWith('#src/')) return [name.slice(1)]
    return name.startsWith('.') ? [posix.join(posix.dirname(path), name)] : []
  })
}

export type Layer =
  | 'shared'
  | 'solver'
  | 'ui'
  | 'platform'
  | 'local'
  | 'contract'
  | 'server'
  | 'web'
  | 'app'
  | 'test'
  | 'root'

/** Where a file stands in the direction main -> app -> features -> platform | ui -> shared. Null: outside of src. */
export const layerOf = (path: string): Layer | null => {
  const [, top, , ...rest] = path.split('/')
  if (!path.startsWith('src/') || top === undefined) return null
  if (top === 'local') return posix.basename(path) === 'contract.ts' ? 'contract' : 'local'
  if (top === 'features') return rest.includes('server') ? 'server' : rest.includes('web') ? 'web' : 'contract'
  if (top === 'shared' || top === 'solver' || top === 'ui' || top === 'platform' || top === 'app' || top === 'test')
    return top
  return 'root'
}

const mayImport: Record<Layer, Layer[]> = {
  shared: ['shared'],
  solver: ['solver'],
  ui: ['ui', 'shared'],
  platform: ['platform', 'shared', 'solver'],
  local: ['local', 'server', 'contract', 'platform', 'shared', 'solver'],
  contract: ['contract', 'shared'],
  server: ['server', 'contract', 'platform', 'shared', 'solver'],
  web: ['web', 'contract', 'ui', 'shared'],
  app: ['app', 'web', 'contract', 'ui', 'shared'],
  test: ['test', 'server', 'contract', 'platform', 'local', 'shared', 'solver', 'root'],
  root: ['root', 'app', 'server', 'web', 'contract', 'platform', 'local', 'ui', 'shared', 'solver'],
}

export const featureOf = (path: string): string | null => /^src\/features\/([^/]+)\//.exec(path)?.[1] ?? null

const openToOthers =
  /^src\/features\/[^/]+\/(?:[^/]+\/)?(contract\.ts|rules\.ts|server\/(?:[^/]+\/)?(queries|commands)\.ts|web\/(?:[^/]+\/)*[A-Z][A-Za-z0-9]*\.tsx|web\/(?:data|session)\.ts)$/

/** Why `from` may not import `to`, or null. Tests may reach further: into src/test and into every part of their own half. */
export const checkImport = (from: string, to: string): string | null => {
  const [here, there] = [layerOf(from), layerOf(to)]
  if (!here || !there) return null
  if (isTest(from)) return null
  if (!mayImport[here].includes(there)) return `${here} does not import ${there}: ${to}`
  const [own, other] = [featureOf(from), featureOf(to)]
  if (own && other && own !== other && !openToOthers.test(to)) return `not open to other features: ${to}`
  return null
}

const staticImport = /(?:^|[\s;])(?:import|export)\s[^'"`;()]*?(?:from\s*)?['"][^'"]*\/local\/[^'"]+['"]/
const local = /^src\/local\//

/**
 * Who plays the providers on one's own computer is loaded by the composition alone, at run time: a server in production does not even read those
 * files. Screens know their contracts, the demo and tests know them whole.
 */
export const checkLocal = (file: SourceFile): string[] => {
  const { path, text } = file
  if (!path.startsWith('src/') || isTest(path) || /^src\/(local|demo|test)\//.test(path)) return []
  const named = text
    .split('\n')
    .flatMap((line, index) =>
      /\b(provider|name): ['"]local['"]/.test(line) && !isGenerated(path)
        ? [`line ${index + 1}: only src/local is the provider "local"`]
        : [],
    )
  const targets = [...new Set(importsOf(file).filter((target) => local.test(target)))]
  if (targets.length === 0) return named
  const allowed =
    /^src\/app-[a-z]+\.ts$/.test(path) && !staticImport.test(text)
      ? 'all'
      : layerOf(path) === 'web'
        ? 'contracts'
        : 'none'
  return [
    ...named,
    ...targets
      .filter((target) => allowed === 'none' || (allowed === 'contracts' && layerOf(target) !== 'contract'))
      .map((target) => `${target} is loaded by src/app-*.ts alone, with await import() and never in production`),
  ]
}

type Edge = { from: string; to: string; file: string; target: string }

/** Edges between features of one half; what both halves share counts in each. */
export const featureEdges = (files: SourceFile[], half: 'server' | 'web'): Edge[] =>
  files
    .filter(({ path }) => !isTest(path) && (layerOf(path) === half || layerOf(path) === 'contract'))
    .flatMap((file) =>
      importsOf(file).flatMap((target) => {
        const [from, to] = [featureOf(file.path), featureOf(target)]
        return from && to && from !== to ? [{ from, to, file: file.path, target }] : []
      }),
    )

/** Edges between files: an import for its types alone and one that waits for a click count like any other. */
export const fileEdges = (files: SourceFile[]): { from: string; to: string }[] => {
  const known = new Set(files.map(({ path }) => path))
  return files.flatMap((file) =>
    importsOf(file).flatMap((to) => (known.has(to) && to !== file.path ? [{ from: file.path, to }] : [])),
  )
}

/** One cycle of features or files as a list of names that ends where it began, or null. */
export const findCycle = (edges: { from: string; to: string }[]): string[] | null => {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to))
  const done = new Set<string>()
  const walk = (name: string, trail: string[]): string[] | null => {
    const at = trail.indexOf(name)
    if (at >= 0) return [...trail.slice(at), name]
    if (done.has(name)) return null
    for (const to of next.get(name) ?? []) {
      const found = walk(to, [...trail, name])
      if (found) return found
    }
    done.add(name)
    return null
  }
  for (const name of [...next.keys()].sort()) {
    const found = walk(name, [])
    if (found) return found
  }
  return null
}
