import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { contractTables } from '../../scripts/web/contracts.ts'
import { endpointPlugins } from '../app-endpoints.ts'
import { bookNeed, quoteNeed } from '../features/customers/rules.ts'
import { jobsApi } from '../features/jobs/contract.ts'
import { quotesApi } from '../features/quotes/contract.ts'
import type { ContractTable } from '../shared/endpoint.ts'

/** What needs a plan and has no button that waits for one, by why: the server refuses it all the same, with the way out. */
const refusedWhenAsked: Record<string, readonly string[]> = {
  'a step of a record that is there already, drawn from its `can`': [
    'customers.update',
    'customers.archive',
    'campaigns.update',
    'customers.unarchive',
    'customers.addProperty',
    'customers.updateProperty',
    'customers.archiveProperty',
    'customers.unarchiveProperty',
    'contacts.update',
    'contacts.remove',
    'quotes.resend',
    'quotes.archive',
    'quotes.copy',
    'business-leads.move',
    'business-leads.sendText',
    'business-leads.sendEmail',
    'tasks.update',
    'messages.resend',
    'invoices.settleVisit',
    'invoices.send',
    'invoices.issue',
    'invoices.sendMany',
    'invoices.remindMany',
    'invoices.remind',
    'invoices.voidInvoice',
    'invoices.writeOff',
    'visits.move',
    'visits.cancel',
    'visits.finish',
    'visits.skip',
    'visits.reopen',
    'visits.rebook',
    'jobs.act',
    'jobs.decideStep',
    'programs.update',
    'recurringExpenses.update',
    'programs.archive',
    'programs.restore',
    'savedRoutes.remove',
    'savedRoutes.restore',
    'routes.crewOut',
    'routes.crewBack',
    'routes.optimize',
    'routes.publish',
    'routes.pin',
    'routes.stopRun',
    'routes.applyRun',
    'routes.dismissRun',
  ],
  'a later step of what waited for a plan when it began': [
    'customers.bulk',
    'business-leads.bulk',
    'quotes.addPhoto',
    'campaigns.addPicture',
    'imports.create',
    'imports.setMapping',
    'imports.check',
    'imports.setServices',
    'imports.confirm',
  ],
  'read by a screen that itself opens with a plan only': [
    'analytics.report',
    'analytics.overview',
    'costing.list',
    'costing.visits',
    'cashflow.get',
    'cashflow.items',
    'price-letters.list',
    'reports.list',
    'reports.run',
  ],
  'dragged, not pressed': ['customers.setLocation', 'services.reorder'],
  'takes back what was done with a plan': [
    'recurringExpenses.restore',
    'daysOff.undo',
    'tasks.remove',
    'tasks.removeCall',
    'timeline.removeNote',
    'placeMerges.undo',
    'visits.undo',
    'routes.redo',
    'jobs.undoBatch',
    'calendarEvents.restore',
    'message-templates.restore',
    'conversations.removeNote',
  ],
  'a small wish that nobody plans by': ['geocoding.again'],
}

const sources = globSync('src/{features,app}/**/*.tsx', { cwd: join(import.meta.dirname, '../..') })
  .filter((file) => !file.endsWith('.test.tsx'))
  .map((file) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8'))

const root = join(import.meta.dirname, '../..')
const keyOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

/** Every endpoint as screens name it: the table of a contract and its entry. */
const tables = await Promise.all(
  globSync('src/features/**/contract.ts', { cwd: root }).map(
    (file) => import(pathToFileURL(join(root, file)).href) as Promise<Record<string, ContractTable>>,
  ),
)
const known = new Map<string, string>(
  tables.flatMap((exported) =>
    Object.entries(exported)
      .filter(([name]) => name.endsWith('Api'))
      .flatMap(([name, table]) =>
        Object.entries(table).map(([entry, one]) => [`${name}.${entry}`, keyOf(one)] as const),
      ),
  ),
)

/** What stands in `calls={...}` of a button, or in the `calls` that one is handed. */
const waiting = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(/\b\w*[cC]alls(?:=\{|: )([^},]+)/g)].flatMap(([, told = '']) =>
      [...told.matchAll(/\w+Api\.\w+/g)].flatMap(([name]) => known.get(name) ?? []),
    ),
  ),
)
const needing = endpointPlugins.flatMap(({ feature, contract }) =>
  Object.entries(contract)
    .filter(([, { needsSubscription }]) => needsSubscription)
    .map(([name, one]): { name: string; key: string } => ({ name: `${feature}.${name}`, key: keyOf(one) })),
)

it('whatever needs a plan has a button that waits for one, or is named with why not', () => {
  const named: string[] = Object.values(refusedWhenAsked).flat()
  expect(needing.filter(({ name, key }) => !waiting.has(key) && !named.includes(name)).map(({ name }) => name)).toEqual(
    [],
  )
  const open: string[] = needing.filter(({ key }) => !waiting.has(key)).map(({ name }) => name)
  expect(named.filter((name) => !open.includes(name))).toEqual([])
  expect(needing.length).toBeGreaterThan(50)
})

it('the way to a new job asks for what the job asks for', () => {
  const { method, path, access, permission, needsSubscription } = jobsApi.create
  expect(bookNeed).toEqual({ method, path, access, permission, needsSubscription })
  const quote = quotesApi.create
  expect(quoteNeed).toEqual({
    method: quote.method,
    path: quote.path,
    access: quote.access,
    permission: quote.permission,
    needsSubscription: quote.needsSubscription,
  })
})

it('browsers learn what needs a plan', async () => {
  const load = contractTables().load as unknown as (id: string) => Promise<{ code: string }>
  const { code } = await load(join(import.meta.dirname, '../features/jobs/contract.ts'))
  expect(code).toMatch(/"create":\{"method":"POST","path":"\/api\/jobs"[^}]*"needsSubscription":true/)
})
