import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useDatabase } from './database.ts'

/**
 * Hand-written SQL against the migrated database, found in the sources, so that it need not be run by any test:
 * - every `alias.column` names a column that is there, or a name that a template of the same file makes;
 * - a statement that stands whole in its template (what is put in are values) is prepared, so that its tables and columns are looked up.
 * Not seen: a column that another table has and this one does not, when the statement is put together from parts; a name without an alias
 * in such parts; what `sql.raw`, `sql.ref` and `sql.table` are given; what the values' types are.
 */
const root = resolve(import.meta.dirname, '..')

type Template = { place: string; text: string }

/** The end of a template literal that begins after `at`, with what is put in replaced by `$1`, `$2`, ... */
const readTemplate = (source: string, at: number): { text: string; end: number } => {
  let text = ''
  let values = 0
  let i = at
  while (source[i] !== '`') {
    if (source.startsWith('${', i)) {
      let depth = 1
      for (i += 2; depth > 0; i++) {
        if (source[i] === '`') i = readTemplate(source, i + 1).end
        else if (source[i] === '{') depth++
        else if (source[i] === '}') depth--
      }
      values++
      text += `$${values}`
    } else {
      text += source[i]
      i++
    }
    if (i >= source.length) throw new Error('A template without an end.')
  }
  return { text, end: i }
}

const templatesOf = (file: string): Template[] => {
  const source = readFileSync(resolve(root, file), 'utf8')
  // A generic may hold braces and strings over several lines, never a backtick or a call.
  return [...source.matchAll(/\bsql(?:<[^`()]*>)?`/g)].map((hit) => ({
    place: `src/${file}:${source.slice(0, hit.index).split('\n').length}`,
    text: readTemplate(source, hit.index + hit[0].length).text,
  }))
}

const files = globSync('**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('test/') && !file.startsWith('demo/'))
  .sort()
  .map((file) => ({ file, templates: templatesOf(file) }))
  .filter(({ templates }) => templates.length > 0)

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client({ connectionString: (await useDatabase()).url })
  await client.connect()
})
afterAll(() => client.end())

/** Prepares a statement with these schemas in view: the table or column that is missing, or whether it could be read alone. */
const prepare = async (text: string, path: string): Promise<{ missing: string } | { done: boolean }> => {
  await client.query(`set search_path = ${path}`)
  try {
    await client.query(`prepare hand_written as ${text}`)
    await client.query('deallocate hand_written')
    return { done: true }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    // 42703: no such column; 42P01: no such table. Anything else comes of a part that stands where a value was assumed.
    return code === '42703' || code === '42P01' ? { missing: message } : { done: false }
  }
}

it('hand-written SQL names columns that are there', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attnum > 0 and not attisdropped
     union select relname from pg_class where relkind = 'r'`,
  )
  const columns = new Set(rows.map(({ name }) => name))
  const unknown: string[] = []
  let named = 0
  for (const { templates } of files) {
    const all = templates.map(({ text }) => text).join('\n')
    // `as name`, `with name`, and `as name (column type, ...)`
    const made = new Set(
      [...all.matchAll(/\b(?:as|with)\s+"?([a-z]\w*)(?:\s*\(([^)]*)\))?/gi)].flatMap(([, name, list]) => [
        name,
        ...(list?.match(/\w+/g) ?? []),
      ]),
    )
    for (const { place, text } of templates)
      for (const [whole, name = ''] of text.replace(/'[^']*'/g, "''").matchAll(/\b[a-z]\w*\.([a-z]\w*)\b(?!\s*\()/g)) {
        named++
        if (!columns.has(name) && !made.has(name)) unknown.push(`${place}: ${whole}`)
      }
  }
  expect(unknown).toEqual([])
  // A scan that finds nothing would be green as well.
  expect(named).toBeGreaterThan(200)
})

it('hand-written statements are prepared against the migrated catalog', async () => {
  const wrong: string[] = []
  let prepared = 0
  for (const { place, text } of files.flatMap(({ templates }) => templates)) {
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) continue
    // The funnel's tables have their own schema, some with the name of a business's table.
    const tried = [await prepare(text, 'public, prospects'), await prepare(text, 'prospects, public')]
    const missing = tried.flatMap((one) => ('missing' in one ? [one.missing] : []))
    if (missing.length === tried.length) wrong.push(`${place}: ${missing[0]}`)
    if (tried.some((one) => 'done' in one && one.done)) prepared++
  }
  expect(wrong).toEqual([])
  expect(prepared).toBeGreaterThan(20)
})
