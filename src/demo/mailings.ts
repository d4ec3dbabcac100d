import { sql } from 'kysely'
import { makeDoorCards } from '../features/doorcards/server/commands.ts'
import { listNeighbors } from '../features/doorcards/server/queries.ts'
import { sendOpenStatements, stepRunTx } from '../features/invoices/statements/server/many.ts'
import { countOpenStatements, lastStatementRun } from '../features/invoices/statements/server/queries.ts'
import { mailingStepTx, sendMailing } from '../features/mailings/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { addDays, dayOf } from '../shared/dates.ts'

const put = (owner: Actor, id: string): Promise<void> =>
  withTenant(owner, async (db) => {
    while (await mailingStepTx(db, id));
  })

/** What the office told several customers at once: rain on Tuesday, which arrived, and a holiday, which waits for the morning. */
export const tellSeveral = async (owner: Actor): Promise<void> => {
  const ids = await withTenant(owner, async (db) =>
    (
      await db
        .selectFrom('customers')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('archivedAt', 'is', null)
        .where('stage', '=', 'active')
        .orderBy('id')
        .limit(24)
        .execute()
    ).map(({ id }) => id),
  )
  if (ids.length === 0) return
  const service = { way: 'best', about: 'service' } as const
  const rain = await sendMailing(owner, {
    ...service,
    choice: { ids: ids.slice(0, 14) },
    subject: 'Rain on Tuesday',
    en: 'Hi {name}, it rains all day. We come a day later and mow as always. {business}',
    es: 'Hola {name}, llueve todo el día. Vamos un día después. {business}',
  })
  await put(owner, rain.id)
  await withTenant(owner, async (db) => {
    const at = new Date(clock.nowMs() - 3 * 86_400_000).toISOString()
    await sql`update mailings set created_at = ${at}, leaves_at = ${at} where business_id = ${db.businessId} and id = ${rain.id}`.execute(
      db,
    )
    // one mailbox was full; all others got it
    await sql`update messages m set created_at = ${at}, run_after = ${at}, sent_at = ${at},
        status = case when r.rank = 1 then 'failed' else 'delivered' end,
        delivered_at = case when r.rank = 1 then null else ${at}::timestamptz end,
        reason = case when r.rank = 1 then 'The mailbox is full' end
      from (select id, row_number() over (order by (channel = 'email') desc, id) as rank from messages
        where business_id = ${db.businessId} and entity_type = 'mailing' and entity_id = ${rain.id}) r
      where m.business_id = ${db.businessId} and m.id = r.id`.execute(db)
  })
  const holiday = await sendMailing(owner, {
    ...service,
    choice: { ids: ids.slice(10) },
    subject: 'Holiday next week',
    en: 'Hi {name}, we are off on the holiday. Your visit moves to the day after. {business}',
    es: '',
  })
  const until = new Date(clock.nowMs() + 10 * 3_600_000).toISOString()
  await withTenant(owner, (db) =>
    sql`update mailings set leaves_at = ${until} where business_id = ${db.businessId} and id = ${holiday.id}`.execute(
      db,
    ),
  )
  await put(owner, holiday.id)
  await withTenant(owner, (db) =>
    sql`update messages set status = 'held', reason = 'Quiet hours at the recipient'
      where business_id = ${db.businessId} and entity_type = 'mailing' and entity_id = ${holiday.id} and status = 'pending'`.execute(
      db,
    ),
  )
}

/** Cards for the doors around a stop of yesterday. */
export const hangCards = async (owner: Actor): Promise<void> => {
  const near = await withTenant(owner, async (db) => {
    const stop = await db
      .selectFrom('visits')
      .select('propertyId')
      .where('businessId', '=', db.businessId)
      .where('status', '=', 'completed')
      .orderBy('day', 'desc')
      .orderBy('id')
      .executeTakeFirst()
    return stop ? { ...stop, ...(await listNeighbors(db, stop.propertyId)) } : null
  })
  const keys =
    near?.doors
      .filter(({ askedAt }) => askedAt === null)
      .slice(0, 6)
      .map(({ key }) => key) ?? []
  if (near?.hasPage && keys.length > 0)
    await makeDoorCards(owner, near.propertyId, {
      keys,
      language: 'en',
      offer: 'Your neighbors trust us with their lawn.',
    })
}

/** Statements went to all who owe: most got theirs, one paid before its turn, one has no address that works. */
export const sendStatements = async (owner: Actor): Promise<void> => {
  const { count, last } = await withTenant(owner, async (db) => ({
    count: (await countOpenStatements(db)).count,
    last: await lastStatementRun(db),
  }))
  if (count === 0) return
  const today = dayOf(clock.now(), owner.timeZone)
  const run = await sendOpenStatements(owner, { from: addDays(today, -30), to: today, count, lastId: last?.id ?? null })
  await withTenant(owner, async (db) => {
    while (await stepRunTx(db, run.id));
    // its papers were made days ago: nothing is drawn and mailed now
    const at = new Date(clock.nowMs() - 2 * 86_400_000).toISOString()
    await sql`update statement_sendings s set updated_at = ${at}, state = case r.rank when 1 then 'settled' when 2 then 'failed' else 'sent' end,
        problem = case r.rank when 2 then 'The mailbox of this address is full.' else '' end
      from (select customer_id, row_number() over (order by customer_id) as rank from statement_sendings
        where business_id = ${db.businessId} and run_id = ${run.id} and state = 'waiting') r
      where s.business_id = ${db.businessId} and s.run_id = ${run.id} and s.customer_id = r.customer_id`.execute(db)
    await sql`update statement_runs set status = 'done', collected = true, created_at = ${at}, done_at = ${at}
      where business_id = ${db.businessId} and id = ${run.id}`.execute(db)
  })
}
