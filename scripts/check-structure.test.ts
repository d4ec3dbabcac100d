import { describe, expect, it } from 'vitest'
import { checkEvents } from './structure/events.ts'
import {
  checkClock,
  checkExports,
  checkImport,
  checkLinks,
  checkLocal,
  checkName,
  checkSize,
  featureEdges,
  fileEdges,
  findCycle,
  importsOf,
} from './structure/rules.ts'
import { checkShards } from './structure/shards.ts'
import { checkPlatformReads, checkWrites, tablesOf, writesOf } from './structure/tables.ts'
import { checkTogether } from './structure/together.ts'

describe('names', () => {
  it.each([
    'src/features/jobs/contract.ts',
    'src/features/jobs/rules.test.ts',
    'src/features/jobs/server/queries.ts',
    'src/features/jobs/server/jobs.test.ts',
    'src/features/jobs/web/JobsScreen.tsx',
    'src/features/jobs/web/data.ts',
    'src/features/schedule/visits/server/commands.ts',
    'src/features/customers/server/imports/commands.ts',
    'src/platform/db/tenant.ts',
    'scripts/structure/rules.ts',
  ])('%s is fine', (path) => expect(checkName(path)).toBeNull())

  it.each([
    'src/features/jobs/index.ts',
    'src/features/jobs/server/helpers.ts',
    'src/features/jobs/server/helpers.ts',
    'src/features/jobs/jobs.ts',
    'src/features/jobs/web/utils.ts',
    'src/platform/types.ts',
  ])('%s is refused', (path) => expect(checkName(path)).not.toBeNull())
})

describe('imports', () => {
  it('are found in every spelling, as paths from the root, without packages', () => {
    const text = [
      "import type { A } from '../contract.ts'",
      "import {\n  b,\n  c,\n} from './queries.ts'",
      "export * from '../../customers/rules.ts'",
      "import './page.css'",
      "const later = () => import('./JobsScreen.tsx')",
      "import worker from './w.ts?url'",
      "import { d } from '#src/shared/money.ts'",
      "import pg from 'pg'",
      "// import x from './not.ts'",
    ].join('\n')
    expect(importsOf({ path: 'src/features/jobs/server/commands.ts', text })).toEqual([
      'src/features/jobs/contract.ts',
      'src/features/jobs/server/queries.ts',
      'src/features/customers/rules.ts',
      'src/features/jobs/server/page.css',
      'src/features/jobs/server/JobsScreen.tsx',
      'src/features/jobs/server/w.ts',
      'src/shared/money.ts',
    ])
  })

  it.each([
    ['src/features/jobs/server/commands.ts', 'src/features/customers/server/queries.ts'],
    ['src/features/jobs/server/commands.ts', 'src/platform/db/tenant.ts'],
    ['src/features/jobs/web/JobsScreen.tsx', 'src/features/customers/web/CustomerPanel.tsx'],
    ['src/features/jobs/web/JobsScreen.tsx', 'src/ui/Button.tsx'],
    ['src/features/jobs/rules.ts', 'src/features/customers/contract.ts'],
    ['src/main-api.ts', 'src/app-server.ts'],
    ['src/platform/db/tenant.test.ts', 'src/test/database.ts'],
  ])('%s may import %s', (from, to) => expect(checkImport(from, to)).toBeNull())

  it.each([
    ['src/features/jobs/server/commands.ts', 'src/features/customers/server/policy.ts'],
    ['src/features/jobs/web/JobsScreen.tsx', 'src/features/customers/web/filter.ts'],
    ['src/features/jobs/server/commands.ts', 'src/features/visits/server/day-board.ts'],
    ['src/features/jobs/web/data.ts', 'src/features/jobs/server/queries.ts'],
    ['src/features/jobs/web/data.ts', 'src/platform/ids.ts'],
    ['src/features/jobs/server/endpoints.ts', 'src/ui/theme.ts'],
    ['src/features/jobs/rules.ts', 'src/platform/clock.ts'],
    ['src/shared/money.ts', 'src/features/billing/rules.ts'],
    ['src/solver/solve.ts', 'src/shared/money.ts'],
    ['src/platform/mail/send.ts', 'src/features/messages/server/queries.ts'],
    ['src/ui/Button.tsx', 'src/app/router.tsx'],
  ])('%s may not import %s', (from, to) => expect(checkImport(from, to)).not.toBeNull())
})

describe('circles of features', () => {
  const file = (path: string, target: string) => ({ path, text: `import { x } from '${target}'` })

  it('are found within one half', () => {
    const files = [
      file('src/features/a/server/commands.ts', '../../b/server/queries.ts'),
      file('src/features/b/server/queries.ts', '../../c/rules.ts'),
      file('src/features/c/rules.ts', '../a/contract.ts'),
    ]
    expect(findCycle(featureEdges(files, 'server'))).toEqual(['a', 'b', 'c', 'a'])
    expect(findCycle(featureEdges(files.slice(0, 2), 'server'))).toBeNull()
  })

  it('a screen of one and a query of the other are none', () => {
    const files = [
      file('src/features/a/web/A.tsx', '../../b/web/B.tsx'),
      file('src/features/b/server/queries.ts', '../../a/server/queries.ts'),
    ]
    expect(findCycle(featureEdges(files, 'server'))).toBeNull()
    expect(findCycle(featureEdges(files, 'web'))).toBeNull()
  })
})

describe('circles of files', () => {
  it.each([
    ["import { b } from './b.ts'", "import { a } from './a.ts'"],
    ["import type { B } from './b.ts'", "import { a } from './a.ts'"],
    ["const later = () => import('./b.ts')", "import { a } from './a.ts'"],
  ])('%s and back is one', (first, second) => {
    const files = [
      { path: 'src/ui/a.ts', text: first },
      { path: 'src/ui/b.ts', text: second },
    ]
    expect(findCycle(fileEdges(files))).toEqual(['src/ui/a.ts', 'src/ui/b.ts', 'src/ui/a.ts'])
  })

  it('a way that does not come back is none', () => {
    const files = [
      { path: 'src/ui/a.ts', text: "import { b } from './b.ts'\nimport { c } from './c.ts'" },
      { path: 'src/ui/b.ts', text: "import { c } from './c.ts'" },
      { path: 'src/ui/c.ts', text: "import pg from 'pg'" },
    ]
    expect(findCycle(fileEdges(files))).toBeNull()
  })
})

describe('texts', () => {
  it('time comes from the clock on the server', () => {
    const text = 'const a = new Date()\nconst b = Date.now()\nconst c = new Date(value)\n'
    expect(checkClock({ path: 'src/features/jobs/server/commands.ts', text })).toHaveLength(2)
    expect(checkClock({ path: 'src/platform/clock.ts', text })).toEqual([])
    const query = "sql`now() - interval '3 days'`\nconst at = clock.now()\nconst ms = performance.now()\n"
    expect(checkClock({ path: 'src/features/jobs/server/queries.ts', text: query })).toHaveLength(1)
    expect(checkClock({ path: 'src/platform/tasks/heartbeat.ts', text: query })).toEqual([])
    expect(checkClock({ path: 'src/features/jobs/web/data.ts', text })).toEqual([])
  })

  it('sizes: 500 lines, 600 for tests, generated files are free', () => {
    const text = 'x\n'.repeat(501)
    expect(checkSize({ path: 'src/a.ts', text })).toContain('501')
    expect(checkSize({ path: 'src/a.test.ts', text })).toBeNull()
    expect(checkSize({ path: 'src/a.generated.ts', text })).toBeNull()
  })

  it('default exports are refused in src', () => {
    expect(checkExports({ path: 'src/a.ts', text: 'export default 1' })).not.toBeNull()
    expect(checkExports({ path: 'vitest.config.ts', text: 'export default 1' })).toBeNull()
  })
})

describe('one writer per table', () => {
  const inFeature = (feature: string, text: string) =>
    checkWrites({ path: `src/features/${feature}/server/commands.ts`, text })

  it.each([
    "db.insertInto('visits').values(row)",
    "db\n    .updateTable('visits')",
    "db.updateTable('visits as v')",
    "db.deleteFrom('visitLines')",
    "db.mergeInto('visits as v')",
    'sql`update visits v set day = null`',
    'sql`update routes set dirty = true`',
    'sql`insert into visits (id)`',
    'sql`delete from visits where true`',
    'sql`with gone as (delete from visit_lines l returning 1)`',
  ])('refuses %s outside of visits', (text) => {
    expect(inFeature('invoices', text)).toEqual([expect.stringMatching(/^line \d: \w+ is written by visits alone/)])
    expect(inFeature('visits', text)).toEqual([])
  })

  it('lets everybody read, and leaves comments and locks alone', () => {
    const text = "db.selectFrom('visits').forUpdate() // update visits set\nsql`select 1 from visits for update`"
    expect(writesOf(text.replace(/ \/\/.*$/m, ''))).toEqual([])
    expect(inFeature('invoices', '/* delete from visits */\n// insert into visits')).toEqual([])
  })

  it('asks for an owner of every table, and every table has one', () => {
    expect(inFeature('jobs', "db.insertInto('newThings')")).toEqual([expect.stringContaining('has no owner')])
    const tables = Object.values(tablesOf).flat()
    expect(new Set(tables).size).toBe(tables.length)
  })

  it('lets retention delete and nothing else', () => {
    expect(inFeature('system', "db.deleteFrom('sessions')")).toEqual([])
    expect(inFeature('system', "db.updateTable('sessions')")).toHaveLength(1)
  })
})

describe('events', () => {
  const declaration = (feature: string, name: string) => ({
    path: `src/features/${feature}/server/events.ts`,
    text: `interface DomainEvents {\n    '${name}': { crewId: string }\n  }`,
  })
  const emission = { path: 'src/features/crews/server/commands.ts', text: "await emitAll(\n  db,\n  'crew.left', [])" }
  const hearing = {
    path: 'src/features/jobs/server/tasks.ts',
    text: "subscriber({\n  name: 'jobs.onLeft',\n  on: 'crew.left',\n  run: () => {} })",
  }
  const problems = (...files: { path: string; text: string }[]) => checkEvents(files).map(({ problem }) => problem)

  it('are declared by the feature that emits them, emitted and heard', () => {
    expect(problems(declaration('crews', 'crew.left'), emission, hearing)).toEqual([])
    expect(problems(declaration('jobs', 'crew.left'), emission, hearing)).toEqual([
      expect.stringContaining('emits crew.left, which this feature does not declare'),
      expect.stringContaining('never emitted'),
    ])
    expect(problems(declaration('crews', 'crew.left'), hearing)).toEqual([expect.stringContaining('never emitted')])
    expect(problems(declaration('crews', 'crew.left'), emission)).toEqual([expect.stringContaining('nobody listens')])
  })
})

describe('the platform', () => {
  const at = (path: string, text: string) => checkPlatformReads({ path, text })

  it.each([
    "db.selectFrom('businesses').select('timeZone')",
    "db.selectFrom('events').innerJoin('users as u', (j) => j)",
    "database()\n    .selectFrom(\n 'slugs')",
    'sql`select 1 from coupons c where true`',
    'sql`select 1 from events e join only visit_lines v on true`',
    'sql`select email from prospects.leads`',
  ])('does not read a table of a feature: %s', (text) => {
    expect(at('src/platform/tasks/walk.ts', text)).toEqual([expect.stringContaining('the platform does not read')])
    expect(at('src/platform/tasks/walk.test.ts', text)).toEqual([])
    expect(at('src/features/jobs/server/queries.ts', text)).toEqual([])
  })

  it('reads its own tables and what the database tells of itself', () => {
    const text = "db.selectFrom('counters')\nsql`select 1 from webhook_events join pg_locks on true` // from users"
    expect(at('src/platform/webhooks.ts', text.replace(/ \/\/.*$/m, ''))).toEqual([])
  })
})

describe('who plays the providers', () => {
  const at = (path: string, text: string) => checkLocal({ path, text })

  it.each([
    ['src/app-server.ts', "if (!config.production) await import('./local/server.ts')"],
    ['src/demo/plan.ts', "import { localBilling } from '../local/payments/billing.ts'"],
    [
      'src/features/payments/server/payments.test.ts',
      "import { localBilling } from '../../../local/payments/billing.ts'",
    ],
    ['src/features/payments/web/data.ts', "import { localPaymentsApi } from '../../../local/payments/contract.ts'"],
    ['src/local/server.ts', "import { localBilling } from './payments/billing.ts'\nconst x = { provider: 'local' }"],
  ])('%s may load it: %s', (path, text) => expect(at(path, text)).toEqual([]))

  it.each([
    ['src/app-server.ts', "import { localServer } from './local/server.ts'"],
    ['src/app-server.ts', "import {\n  localServer,\n} from './local/server.ts'\nawait import('./local/server.ts')"],
    ['src/app-server.ts', "import './local/server.ts'"],
    ['src/main-api.ts', "await import('./local/server.ts')"],
    ['src/platform/payments/providers.ts', "await import('../../local/payments/billing.ts')"],
    ['src/features/payments/server/endpoints.ts', "import { api } from '../../../local/payments/contract.ts'"],
    ['src/features/payments/web/data.ts', "import type { X } from '../../../local/payments/billing.ts'"],
    ['src/platform/mail/mailer.ts', "return { result: 'accepted', provider: 'local' }"],
  ])('%s may not: %s', (path, text) => expect(at(path, text)).toHaveLength(1))
})

describe('links to records', () => {
  const at = (text: string) => checkLinks({ path: 'src/features/jobs/web/JobPanel.tsx', text })
  it.each([
    `href={\`/customers?tab=manage&customerId=\${id}\`}`,
    `const path = \`\${hubPath('jobs', 'invoices')}&view=open\``,
    `href={\`/route-map?day=\${day}\`}`,
  ])('%s is glued', (text) => expect(at(text)).toHaveLength(1))
  it.each(['href={linkTo.customer(id)}', "hubPath('jobs', 'create')", '<Panel customerId={id} day={day} />'])(
    '%s is fine',
    (text) => expect(at(text)).toEqual([]),
  )
})

describe('what runs at once in a transaction', () => {
  const at = (text: string, path = 'src/features/jobs/server/commands.ts') => checkTogether({ path, text })
  it.each([
    'await Promise.all([listCrews(db), getJob(db, who, id), todayOf(db)])',
    "await Promise.all([db.selectFrom('jobs').execute(), listDayBoardTx(db, day)])",
    // each in a transaction of its own
    'await Promise.all([withTenant(a, (db) => addJobTx(db)), own.db((db) => queueMessage(db, mail))])',
    'await Promise.all([own.db(async (db) => { await emit(db, x) }), fetch(url)])',
    'for (const id of ids) await addJobTx(db, id)',
  ])('%s', (text) => expect(at(text)).toEqual([]))
  it.each([
    ["await Promise.all([\n  db.insertInto('jobs').values(row).execute(),\n])", 'insertInto'],
    ['await Promise.all(ids.map((id) => addJobTx(db, id)))', 'addJobTx'],
    ['const [a] = await Promise.all([listCrews(db), saveJob(db, row)])', 'saveJob'],
    ['await Promise.all([sql`update jobs set x = 1`.execute(db)])', 'update'],
    ["await Promise.allSettled([publishChange(db, 'jobs')])", 'publishChange'],
    ['await Promise.all([withTenant(a, (db) => addJobTx(db)), addVisitTx(db)])', 'addVisitTx'],
  ])('%s is refused', (text, name) => expect(at(text)).toEqual([expect.stringContaining(`line 1: ${name} under`)]))
  it('is watched in tests too, and in queries a read has any name', () => {
    const text = 'await Promise.all([owed(db, day), moneyByDay(db)])'
    expect(at(text, 'src/features/jobs/server/queries.ts')).toEqual([])
    expect(at(text, 'src/features/jobs/server/jobs.test.ts')).toHaveLength(2)
  })
})

describe('what Citus cannot run', () => {
  const at = (text: string, path = 'src/features/jobs/server/commands.ts') => checkShards({ path, text })
  it.each([
    ['insert into jobs (business_id, id) select $1::uuid, r.id from jsonb_to_recordset(x) r', 'past the wall'],
    ['insert into jobs (business_id, id)\n select distinct on (a.id) $1, a.id from unnest(x) a', 'past the wall'],
    ['with made as (insert into jobs (business_id) values (1) returning id) select id from made', 'in a with'],
    ["select set_config('app.business_id', 'x', true), id from jobs", 'set local'],
    ['insert into jobs (business_id) values (1) on conflict (id) do update set seen = now()', 'immutable'],
    ["update jobs set seen = case kind when 'a' then 1 end", 'case when x'],
    ['with recursive days (day) as (select 1) select day from days', 'name the columns'],
    ['with a as (select 1 as n), b (m) as (select 2) select n, m from a, b', 'name the columns'],
  ])('%s', (text, why) => expect(at(text)).toEqual([expect.stringContaining(why)]))
  it.each([
    'insert into jobs (business_id, id) select j.business_id, gen_random_uuid() from jobs j',
    'insert into jobs (business_id, id) values (1, 2)',
    'with recursive days as (select 1 as day), b as materialized (select 2 as m) select day from days, b',
    "update jobs set seen = case when kind = 'a' then 1 end",
    'insert into jobs (business_id) values (now()) on conflict (id) do update set seen = excluded.seen',
    // stands on the coordinator whole
    'insert into rate_limits (key) values (1) on conflict (key) do update set seen = now()',
    'insert into slugs (slug, business_id) select r.slug, r.id from unnest(x) r',
  ])('%s is fine', (text) => expect(at(text)).toEqual([]))
  it('a test sets what its triggers ask for on the shards, too', () => {
    const text = "select set_config('swath.past_days', 'on', true)"
    expect(at(text, 'src/test/factories.ts')).toEqual([expect.stringContaining("'set local'")])
    expect(at("set local swath.past_days = 'on'", 'src/test/factories.ts')).toEqual([])
  })
})
