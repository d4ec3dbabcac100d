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

/** What a file takes away, and why no process of the release before misses it. */
const takenAway: Record<string, string> = {
  '0018_rebooked_from.sql: drop column rebooked_as': 'one does: end every older process first',
  '0055_billing_plans.sql: drop column to_bill': 'one does: end every older process first',
  '0722_pages_are_asked_for.sql: drop column url': 'one does: end every older process first',
  '0722_pages_are_asked_for.sql: drop column checkout_url': 'one does: end every older process first',
  '0980_functions_written_out.sql: drop function crew_present': '0990 makes it again',
  '0980_functions_written_out.sql: drop function waiting_conversations': '0990 makes it again',
}

test('what the release before may still ask for is taken away by a later one: expand, deploy, contract', () => {
  const taken = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8').replace(/--.*$/gm, '')
    return [
      ...text.matchAll(/\b(?:drop (?:column|function|table)|rename column)\s+(?:if exists\s+)?\w+|\brename to\b/gi),
    ].map(([what]) => `${file}: ${what.replace(/\s+/g, ' ')}`)
  })
  expect([...new Set(taken)].sort()).toEqual(Object.keys(takenAway).sort())
})
