import { globalTables } from './distribution.ts'
import { featureOf, isTest, type SourceFile } from './rules.ts'
import { tablesOf } from './tables.ts'

// What Citus cannot run of our SQL, as far as its text says so. Everything else is planned on a Citus by `npm run test:database`.

const tenantTables = new Set(
  Object.values(tablesOf)
    .flat()
    .filter((table) => !(table in globalTables)),
)

/** Features whose statements are of the funnel's schema, which stands on the coordinator whole. */
const funnel = ['prospects', 'desk']

const inserts =
  /\binsert\s+into\s+([a-z_]\w*)\s*(?:\w+\s*)?\([^()]*\)\s*(select\s+(?:distinct\s+(?:on\s*\([^)]*\)\s*)?)?)([^,]*)/gi
const upserts =
  /\binsert\s+into\s+([a-z_]\w*)[^`;]*?\bdo\s+update\s+set[^`;]*?\b(?:now|clock_timestamp|statement_timestamp|gen_random_uuid|random)\(/gi
const ownColumn = /^(?:\w+\.)?business_id$/i

/** Statements in the text of a file that run on one PostgreSQL and not on a Citus, with the way out. */
export const checkShards = (file: SourceFile): string[] => {
  const { path, text } = file
  // a test that sets something for its transaction sets it for the shards, too
  if (/^src\/.*\.ts$/.test(path) && (isTest(path) || path.startsWith('src/test/')))
    return [...text.matchAll(/\bset_config\(\s*'(?:app|swath)\./gi)].map(
      ({ index }) =>
        `line ${text.slice(0, index).split('\n').length}: Citus carries no set_config() to its workers: 'set local'`,
    )
  if (!/^src\/(features|platform|local)\/.*\.ts$/.test(path) || isTest(path)) return []
  const feature = featureOf(path)
  if (feature !== null && funnel.includes(feature)) return []
  const found: { at: number; problem: string }[] = []
  for (const match of text.matchAll(inserts)) {
    const [, table = '', , first = ''] = match
    if (!tenantTables.has(table) || ownColumn.test(first.trim())) continue
    found.push({
      at: match.index,
      problem: `Citus gathers what is selected into ${table} and copies it past the wall, which refuses: select the business_id of the rows themselves, or write them as values (src/platform/db/rows.ts)`,
    })
  }
  for (const match of text.matchAll(upserts))
    if (tenantTables.has(match[1] ?? ''))
      found.push({
        at: match.index,
        problem: `Citus takes only immutable functions in what an upsert sets in ${match[1]}: put the time or the id in as a value`,
      })
  for (const match of text.matchAll(
    /\b(?:insert\s+into|update)\s+[a-z_]\w*\s[^`;]*?\bcase\s+(?!when\b)[\w.]+\s+when\b/gi,
  ))
    found.push({
      at: match.index,
      problem: "Citus loses the x of 'case x when' in what writes: case when x = ...",
    })
  for (const match of text.matchAll(/\bas\s+(?:materialized\s+)?\(\s*insert\s+into\b/gi))
    found.push({ at: match.index, problem: 'Citus takes no insert in a with: make it a statement of its own' })
  for (const match of text.matchAll(
    /(?:\bwith(?:\s+recursive)?|\)\s*,)\s+\w+\s*\([\w\s,]+\)\s+as\s+(?:materialized\s+)?\(/gi,
  ))
    found.push({
      at: match.index,
      problem: 'Citus loses the names that a with gives in parentheses: name the columns in its first select',
    })
  for (const match of text.matchAll(/\bset_config\(\s*'app\./gi))
    found.push({
      at: match.index,
      problem: "Citus carries no set_config() to its workers: a transaction begins with 'set local' (withTenant)",
    })
  return found.map(({ at, problem }) => `line ${text.slice(0, at).split('\n').length}: ${problem}`)
}
