import { sql } from 'kysely'
import { changePersonTx } from '../features/accounts/people/server/commands.ts'
import { changeBusiness } from '../features/businesses/server/commands.ts'
import { getBusinessSettings, todayOf } from '../features/businesses/server/queries.ts'
import { collectTx, handInCash } from '../features/payments/door/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { addDays, type Day, instantAt } from '../shared/dates.ts'
import { permissionPresets } from '../shared/roles.ts'
import { forgetEvents } from './money.ts'

type Stop = { visitId: string; customerId: string; day: Day; openCents: number }

/** One crew leader takes money at the door: some of it is in the office, counted two dollars short, some is still in the truck. */
export const takeCash = async (owner: Actor): Promise<void> => {
  const { person, stops } = await withTenant(owner, async (db) => {
    const today = await todayOf(db)
    const { rows } = await sql<{ userId: string; name: string } & Stop>`
      select distinct on (v.customer_id) u.id as user_id, u.name, v.id as visit_id, v.customer_id, v.day,
        (select sum(i.total_cents - i.paid_cents)::bigint from invoices i where i.business_id = v.business_id
          and i.customer_id = v.customer_id and i.status in ('issued', 'partially_paid')) as open_cents
      from visits v join crews c on c.business_id = v.business_id and c.id = v.crew_id and c.position = 0
      join users u on u.business_id = c.business_id and u.id = c.leader_user_id
      join customers k on k.business_id = v.business_id and k.id = v.customer_id and k.type = 'residential'
      where v.business_id = ${db.businessId} and v.status = 'completed' and v.day between ${addDays(today, -6)}::date and ${addDays(today, -1)}::date
        and not exists (select from payment_methods m where m.business_id = v.business_id and m.customer_id = v.customer_id)
      order by v.customer_id, v.day desc`.execute(db)
    const [first] = rows
    if (first) await changePersonTx(db, first.userId, { permissions: [...permissionPresets.crewLead, 'collect'] })
    const owing = rows.filter(({ openCents }) => Number(openCents) > 0)
    return { person: first, stops: [...owing, ...rows.filter(({ openCents }) => !openCents)].slice(0, 4) }
  })
  const { version } = await withTenant(owner, (db) => getBusinessSettings(db, owner))
  await changeBusiness(owner, { version, doorPayments: true })
  if (!person) return
  const actor: Actor = {
    ...owner,
    userId: person.userId,
    name: person.name,
    role: 'Employee',
    permissions: ['crewLead', 'collect'],
  }
  const ids: string[] = []
  for (const [at, { visitId, day, openCents }] of stops.entries())
    await withTenant(owner, async (db) => {
      const id = newId()
      ids.push(id)
      const amountCents = Number(openCents) || 4500
      await collectTx(db, actor, {
        // the second gives a round sum, so that a little of it is credit
        id,
        visitId,
        amountCents: at === 1 ? Math.ceil(amountCents / 1000) * 1000 : amountCents,
        method: at === 2 ? 'check' : 'cash',
        checkNumber: at === 2 ? '3071' : '',
        at: instantAt(day, 620 + at * 45, owner.timeZone),
      })
    })
  const [oldest] = ids
  if (oldest) {
    const cents = await withTenant(owner, (db) =>
      db
        .selectFrom('payments as p')
        .innerJoin('doorReceipts as d', (join) =>
          join.onRef('d.businessId', '=', 'p.businessId').onRef('d.paymentId', '=', 'p.id'),
        )
        .select('p.amountCents')
        .where('p.businessId', '=', db.businessId)
        .where('d.id', '=', oldest)
        .executeTakeFirstOrThrow(),
    )
    await handInCash(owner, {
      userId: person.userId,
      receiptIds: [oldest],
      countedCents: cents.amountCents - 200,
      reason: 'Gave change from the wrong envelope',
    })
  }
  await withTenant(owner, forgetEvents)
}
