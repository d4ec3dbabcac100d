import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { asBusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { renewTestServer } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { aVisit } from '../../../../test/field.ts'
import { rowsRead } from '../../../../test/rows-read.ts'
import { listLineVisits } from './queries.ts'

// how a read is planned goes by all that stands in its tables
beforeAll(async () => {
  await renewTestServer()
})

it('a chunk of the nightly top-up looks at its own jobs, whatever else the business has', async () => {
  const own = await aBusiness()
  const { jobId } = await aVisit(own)
  const cost = (jobIds: readonly string[], tables: readonly string[]) =>
    rowsRead(own, tables, () => withTenant({ businessId: asBusinessId(own.id) }, (db) => listLineVisits(db, jobIds)))
  // the plan is made for what the tables held before the night, and has to serve for what it writes
  await cost([jobId], ['jobs', 'job_lines', 'visits', 'visit_lines'])
  // what is put there belongs to no promise: it shall not go row by row over tables that nobody has counted yet
  const write = (statement: RawBuilder<unknown>) =>
    own.db(async (db) => {
      await sql`set local enable_nestloop = off`.execute(db)
      await statement.execute(db)
    })
  // a chunk of 200 jobs among 1,500, each with a line with days and three visits
  await write(sql`insert into jobs (business_id, id, number, customer_id, property_id, title, start_on)
    select j.business_id, gen_random_uuid(), 100000 + n, j.customer_id, j.property_id, j.title, j.start_on
    from jobs j, generate_series(1, 1500) n where j.id = ${jobId}`)
  await write(sql`insert into job_lines (business_id, id, job_id, service_id, unit_price_cents, budget_minutes, recurrence)
    select j.business_id, gen_random_uuid(), j.id, l.service_id, 5500, 30, '{"freq":"week","interval":1}'
    from jobs j join job_lines l on l.job_id = ${jobId} where j.number > 100000`)
  await write(sql`insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, status, budget_minutes, price_cents)
    select j.business_id, gen_random_uuid(), j.id, j.customer_id, j.property_id, current_date + n, current_date + n, 'scheduled', 30, 5500
    from jobs j, generate_series(1, 3) n where j.number > 100000`)
  await write(sql`insert into visit_lines (business_id, id, visit_id, job_line_id, service_id, description, unit_price_cents, budget_minutes)
    select v.business_id, gen_random_uuid(), v.id, l.id, l.service_id, 'Mow', 5500, 30
    from visits v join job_lines l on l.business_id = v.business_id and l.job_id = v.job_id where v.job_id <> ${jobId}`)
  const { rows } = await own.db((db) => sql<{ id: string }>`select id from jobs order by id limit 200`.execute(db))
  const jobIds = rows.map((row) => row.id)
  await write(sql`update job_lines set recurrence = null, undated = '{"kind":"on_demand"}' where job_id = ${jobIds[0]}`)
  expect(await cost(jobIds, ['jobs', 'job_lines', 'visits'])).toBeLessThan(3000)
})
