import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../../migrations')

/** Tables below the wall of tenants: row-level security is forced, also on their owner. */
const walled = new Set(
  readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/guard_tenant_table\('(\w+)'/g)].map(([, table]) => table),
  ),
)

test('a migration that writes rows of businesses lifts the wall for itself: behind it there are none to see', () => {
  const blind = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8').replace(/--.*$/gm, '')
    // what a function does is done later, by whoever calls it
    const outside = text.replace(/create (?:or replace )?function[\s\S]*?\$\$[\s\S]*?\$\$/gi, '')
    return [...outside.matchAll(/(?:^|;)\s*(?:update|delete from)\s+(?:only\s+)?(\w+)\s/gim)]
      .map(([, table = '']) => table)
      .filter((table) => walled.has(table) && !text.includes(`alter table ${table} no force row level security`))
      .map((table) => `${file}: ${table}`)
  })
  expect(blind).toEqual([])
})
