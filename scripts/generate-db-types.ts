import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startTestServer } from '../src/test/cluster.ts'

const root = resolve(import.meta.dirname, '..')
const target = join(root, 'src/platform/db/types.generated.ts')

// how values come out of the driver (src/platform/db/parsers.ts) and what may go in
const typeMapping = {
  timestamptz: 'string',
  date: 'string',
  int8: 'number',
  numeric: 'number',
}

const generate = (url: string): string => {
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
        '--default-schema=public',
        '--include-pattern=public.*',
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
const text = await (async () => generate(server.templateUrl))().finally(server.stop)
const isCheck = process.argv.includes('--check')
const before = readFileSync(target, 'utf8')

if (before === text) {
  console.log('The database types are up to date.')
} else if (isCheck) {
  console.error('src/platform/db/types.generated.ts is not what migrations/ give: run "npm run db:types".')
  process.exit(1)
} else {
  writeFileSync(target, text)
  console.log('Wrote src/platform/db/types.generated.ts.')
}
