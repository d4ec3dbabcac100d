import { sql } from 'kysely'
import { Conditions } from '../features/automations/contract.ts'
import type { AutomationKind } from '../features/automations/kinds/rules.ts'
import { createAutomation, switchAutomation, updateAutomation } from '../features/automations/server/commands.ts'
import { runAutomations } from '../features/automations/server/runs.ts'
import { recordConsent } from '../features/messages/server/commands.ts'
import { type Actor, systemActor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { addDays, dayOf } from '../shared/dates.ts'

/** On since so many hours, as a business has it that did not begin today. */
const put = async (
  owner: Actor,
  kind: AutomationKind,
  change: Omit<Parameters<typeof updateAutomation>[2], 'version'>,
  hours: number,
): Promise<string> => {
  const made = await createAutomation(owner, { kind })
  const { version } = await updateAutomation(owner, made.id, { ...change, version: made.version })
  await switchAutomation(owner, made.id, { on: true, version })
  await withTenant(owner, (db) =>
    db
      .updateTable('automations')
      .set({ enabledAt: new Date(clock.nowMs() - hours * 3_600_000).toISOString() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', made.id)
      .execute(),
  )
  return made.id
}

/** The largest lawns of customers with an e-mail who had no such work this year. */
const listLargest = (owner: Actor, serviceId: string) =>
  withTenant(owner, async (db) => {
    const { rows } = await sql<{ email: string; squareFeet: number }>`
      select c.email, max(p.lawn_square_feet)::int as square_feet from customers c
      join properties p on p.business_id = c.business_id and p.customer_id = c.id and p.archived_at is null
      where c.business_id = ${db.businessId} and c.archived_at is null and c.email is not null and 'marketing' = any(c.gets)
        and p.lawn_square_feet is not null
        and not exists (select 1 from visits v join visit_lines l on l.business_id = v.business_id and l.visit_id = v.id
          where v.business_id = c.business_id and v.customer_id = c.id and l.service_id = ${serviceId})
      group by c.id, c.email order by square_feet desc, c.id limit 6`.execute(db)
    return rows
  })

/** Visits of this season stood on the plan for weeks before their day: a dry run of reminders asks when they were put there. */
const planAhead = (owner: Actor): Promise<unknown> =>
  withTenant(owner, (db) =>
    sql`
      update visits set created_at = (day - 21)::timestamp at time zone ${owner.timeZone}
      where business_id = ${db.businessId} and day between ${addDays(dayOf(clock.now(), owner.timeZone), -40)} and ${dayOf(clock.now(), owner.timeZone)}
        and origin = 'rule'`.execute(db),
  )

/**
 * What leaves by itself: a word after a visit, which some have had, thanks for an approved quote, and aeration to large lawns, of which three wait
 * for a yes.
 */
export const writeByItself = async (owner: Actor): Promise<void> => {
  await planAhead(owner)
  const { work, aerate } = await withTenant(owner, async (db) => {
    const services = await db
      .selectFrom('services')
      .select(['id', 'name', 'category'])
      .where('businessId', '=', db.businessId)
      .where('archivedAt', 'is', null)
      .orderBy('position')
      .execute()
    const aerating = services.find(({ name }) => /aerat/i.test(name)) ?? services.at(-1)
    return { work: services.filter(({ category }) => category !== 'mow'), aerate: aerating?.id }
  })
  const done = await put(
    owner,
    'visit_done',
    {
      name: 'After treatments and extra work',
      delay: 1,
      everyDays: 21,
      channels: ['email', 'sms'],
      conditions: Conditions.parse({ serviceIds: work.map(({ id }) => id) }),
      textEn:
        'Hi {customer first name}, we were at your place on {last visit day}. Anything not as you want it? Just answer here. {business name}',
      textEs:
        'Hola {customer first name}, estuvimos en su casa el {last visit day}. ¿Algo no está como usted quiere? Responda aquí. {business name}',
    },
    24 * 20,
  )
  await put(owner, 'quote_approved', {}, 24 * 20)
  if (aerate) {
    const largest = await listLargest(owner, aerate)
    await withTenant(owner, async (db) => {
      for (const { email } of largest.slice(0, 3))
        await recordConsent(db, {
          channel: 'email',
          address: email,
          purpose: 'marketing',
          action: 'grant',
          source: 'office',
          wording: 'Signed the box for offers on the paper of the first visit',
          actorId: owner.userId,
        })
    })
    const yesterday = addDays(dayOf(clock.now(), owner.timeZone), -1)
    await put(
      owner,
      'upsell',
      {
        name: 'Aeration for large lawns',
        channels: ['email'],
        startsOn: yesterday.slice(5) === '02-29' ? '02-28' : yesterday.slice(5),
        conditions: Conditions.parse({
          serviceIds: [aerate],
          leastLawnSquareFeet: largest.at(-1)?.squareFeet ?? 3000,
        }),
      },
      24 * 4,
    )
  }
  await runAutomations(systemActor(owner.businessId))
  // what left did so when it was due, and arrived
  await withTenant(owner, (db) =>
    sql`
      with gone as (
        update automation_runs set queued_at = due_at where business_id = ${db.businessId} and automation_id = ${done}
          and status = 'sent' returning id, due_at)
      update messages m set status = 'delivered', sent_at = gone.due_at, delivered_at = gone.due_at, created_at = gone.due_at
      from gone where m.business_id = ${db.businessId} and m.entity_type = 'automation_run' and m.entity_id = gone.id`.execute(
      db,
    ),
  )
}
