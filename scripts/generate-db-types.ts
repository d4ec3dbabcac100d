import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startTestServer } from '../src/test/cluster.ts'

const root = resolve(import.meta.dirname, '..')
/** The businesses' side and the funnel's side are two worlds: neither type knows the tables of the other. */
const targets = [
  { schema: 'public', file: 'src/platform/db/types.generated.ts' },
  { schema: 'prospects', file: 'src/platform/db/prospect-types.generated.ts' },
]

// how values come out of the driver (src/platform/db/parsers.ts) and what may go in
const typeMapping = {
  timestamptz: 'string',
  date: 'string',
  int8: 'number',
  numeric: 'number',
}

const generate = (url: string, schema: string): string => {
  const dir = mkdtempSync(join(tmpdir(), 'swath-types-'))
  const out = join(dir, 'types.ts')
  try {
    const done = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/kysely-codegen/dist/cli/bin.js'),
        '--dialect=postgres',
        `--url=${url}`,
        '--camel-case',
        `--default-schema=${schema}`,
        `--include-pattern=${schema}.*`,
        '--exclude-pattern=public.schema_migrations',
        '--no-domains',
        '--log-level=error',
        `--type-mapping=${JSON.stringify(typeMapping)}`,
        `--out-file=${out}`,
      ],
      { cwd: dir, encoding: 'utf8' },
    )
    if (done.status !== 0) throw new Error(`kysely-codegen failed: ${done.stderr || done.stdout}`)
    return `// Made by \`npm run db:types\` from the migrated database. Do not edit.\n${readFileSync(out, 'utf8').replace(/^\/\*\*[\s\S]*?\*\/\n/, '')}`
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const server = await startTestServer()
const texts = await (async () => targets.map(({ schema }) => generate(server.templateUrl, schema)))().finally(
  server.stop,
)
const isCheck = process.argv.includes('--check')
const stale = targets.filter(
  ({ file }, index) => !existsSync(join(root, file)) || readFileSync(join(root, file), 'utf8') !== texts[index],
)

if (stale.length === 0) {
  console.log('The database types are up to date.')
} else if (isCheck) {
  console.error(`${stale.map(({ file }) => file).join(', ')}: not what migrations/ give: run "npm run db:types".`)
  process.exit(1)
} else {
  targets.forEach(({ file }, index) => {
    writeFileSync(join(root, file), texts[index] ?? '')
  })
  console.log(`Wrote ${stale.map(({ file }) => file).join(', ')}.`)
}
