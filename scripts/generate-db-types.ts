import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
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

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `status = any (array['a'::text, 'b'::text])`, also with null allowed, as PostgreSQL writes `status in ('a', 'b')` back. */
const listCheck =
  /^CHECK \(\(+(?:\(?\w+ IS NULL\)? OR \(?)?\(?(\w+)\)?(?:::text)? = ANY \(+ARRAY\[([^\]]+)\]\)?(?:::text\[\])?\)+$/

/** The words a text column may hold, by table and column in camel case, as far as a simple CHECK lists them. */
const unionsOf = async (url: string, schema: string): Promise<Map<string, Map<string, string>>> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ table: string; check: string }>(
      `select c.relname as table, pg_get_constraintdef(k.oid) as check from pg_constraint k
       join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
       where k.contype = 'c' and n.nspname = $1 order by c.relname, k.conname`,
      [schema],
    )
    const found = new Map<string, Map<string, string>>()
    for (const { table, check } of rows) {
      const [, column, list] = listCheck.exec(check) ?? []
      if (!column || !list) continue
      const words = [...list.matchAll(/'((?:[^']|'')*)'(?:::\w+)?/g)].map(([, word]) =>
        JSON.stringify(word?.replaceAll("''", "'")),
      )
      const columns = found.get(camel(`_${table}`)) ?? new Map<string, string>()
      if (columns.has(camel(column))) throw new Error(`${table}.${column} has two CHECK lists: keep one.`)
      found.set(camel(`_${table}`), columns.set(camel(column), words.sort().join(' | ')))
    }
    return found
  } finally {
    await client.end()
  }
}

/** Puts the lists in the place of `string`, table by table. */
const withUnions = (text: string, unions: Map<string, Map<string, string>>): string =>
  text.replace(/export interface (\w+) \{[\s\S]*?\n\}/g, (block, name: string) => {
    const columns = unions.get(name)
    if (!columns) return block
    return block.replace(
      /^( {2}(\w+): )(Generated<)?string\b(>)?/gm,
      (line, start: string, column: string, open = '', close = '') => {
        const union = columns.get(column)
        return union ? `${start}${open}${union}${close}` : line
      },
    )
  })

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
const texts = await Promise.all(
  targets.map(async ({ schema }) =>
    withUnions(generate(server.templateUrl, schema), await unionsOf(server.templateUrl, schema)),
  ),
).finally(server.stop)
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
