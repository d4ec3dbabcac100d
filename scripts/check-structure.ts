import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { accessPage } from './access/table.ts'
import { checkEvents } from './structure/events.ts'
import {
  checkClock,
  checkExports,
  checkImport,
  checkLinks,
  checkLocal,
  checkName,
  checkPaymentSeam,
  checkSize,
  featureEdges,
  fileEdges,
  findCycle,
  importsOf,
  type SourceFile,
} from './structure/rules.ts'
import { checkShards } from './structure/shards.ts'
import { checkPlatformReads, checkWrites } from './structure/tables.ts'
import { checkTogether } from './structure/together.ts'

// npm run check runs this: file names, sizes, imports and the clock, as CONTRIBUTING.md says, and docs/access.md against the contracts

const root = resolve(import.meta.dirname, '..')

const listFiles = (): string[] => {
  const listed = spawnSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'scripts', 'bench', 'e2e'],
    { cwd: root, encoding: 'utf8' },
  )
  if (listed.status !== 0) throw new Error(`git could not list the files: ${listed.stderr}`)
  return [...new Set(listed.stdout.split('\n').filter(Boolean))].filter((path) => existsSync(join(root, path)))
}

const paths = listFiles()
const files: SourceFile[] = paths
  .filter((path) => /\.(ts|tsx|mjs|css)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const code = files.filter(({ path }) => !path.endsWith('.css'))

const found: string[] = []
const report = (path: string, problems: (string | null)[]): void => {
  for (const problem of problems) if (problem) found.push(`${path}: ${problem}`)
}

for (const path of paths) report(path, [checkName(path)])
for (const file of files) report(file.path, [checkSize(file)])
for (const file of code) {
  report(file.path, [
    checkExports(file),
    ...checkClock(file),
    ...checkWrites(file),
    ...checkPlatformReads(file),
    ...checkPaymentSeam(file),
    ...checkLinks(file),
    ...checkLocal(file),
    ...checkShards(file),
    ...checkTogether(file),
    ...importsOf(file).map((target) => checkImport(file.path, target)),
  ])
}
for (const { path, problem } of checkEvents(code)) report(path, [problem])
for (const half of ['server', 'web'] as const) {
  const edges = featureEdges(code, half)
  const cycle = findCycle(edges)
  if (!cycle) continue
  const steps = cycle
    .slice(0, -1)
    .map((from, index) => edges.find((edge) => edge.from === from && edge.to === cycle[index + 1]))
  found.push(
    `features import each other in a circle (${half}): ${cycle.join(' -> ')}\n${steps.map((edge) => `    ${edge?.file} imports ${edge?.target}`).join('\n')}`,
  )
}

const circle = findCycle(fileEdges(code))
if (circle) found.push(`files import each other in a circle: ${circle.join(' -> ')}`)

const accessFile = join(root, 'docs', 'access.md')
if (!existsSync(accessFile) || readFileSync(accessFile, 'utf8') !== accessPage())
  found.push('docs/access.md: not what the contracts say: run "npm run docs:access"')

if (found.length > 0) {
  console.error(found.join('\n'))
  console.error(
    `\n${found.length} ${found.length === 1 ? 'place breaks' : 'places break'} the rules of CONTRIBUTING.md.`,
  )
  process.exit(1)
}
console.log(`The structure holds: ${files.length} files.`)
process.exit(0)
