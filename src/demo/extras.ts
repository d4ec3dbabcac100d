import { sql } from 'kysely'
import { usualOvergrown } from '../features/extras/rules.ts'
import { addSaleTx } from '../features/extras/sales/server/commands.ts'
import { listSaleStops, unitCentsAt } from '../features/extras/sales/server/queries.ts'
import { addOvergrownTx, saveExtraSettings } from '../features/extras/server/commands.ts'
import { getExtraSettings } from '../features/extras/server/queries.ts'
import { changeService } from '../features/services/server/commands.ts'
import { listServices } from '../features/services/server/queries.ts'
import type { Actor } from '../platform/actor.ts'
import { type TenantDb, withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import type { Stroke } from '../shared/strokes.ts'

type Mowed = { id: string; photoId: string; userId: string; name: string; at: string }

/** Finished mowing that nobody was billed for yet, of different customers, with a photo of what it was before. */
const listMowed = async (db: TenantDb, most = 2): Promise<Mowed[]> => {
  const { rows } = await sql<Mowed>`
    select distinct on (v.customer_id) v.id, x.id as "photoId", u.id as "userId", u.name, v.started_at as at
    from visits v
    join visit_photos x on x.business_id = v.business_id and x.visit_id = v.id and x.kind = 'before'
    join users u on u.business_id = v.business_id and u.id = v.finished_by
    where v.business_id = ${db.businessId} and v.to_bill and v.status = 'completed' and v.invoice_id is null and v.covered_by is null and v.started_at is not null
    order by v.customer_id, v.day desc, v.id limit ${most}`.execute(db)
  return rows
}

/** Circles the tall grass on a photo, as a finger would. */
const circle = (id: string, x: number, y: number, radius: number): Stroke => ({
  id,
  color: 'red',
  points: Array.from({ length: 33 }, (_, n) => [
    Math.round((x + radius * Math.cos((n * Math.PI) / 16)) * 1000) / 1000,
    Math.round((y + radius * 1.2 * Math.sin((n * Math.PI) / 16)) * 1000) / 1000,
  ]).flat(),
})

const draw = (owner: Actor, { id, photoId, userId, at }: Mowed): Promise<unknown> =>
  withTenant(owner, (db) =>
    db
      .insertInto('photoMarks')
      .values({
        businessId: db.businessId,
        photoId,
        visitId: id,
        strokes: JSON.stringify([circle('tufts', 0.24, 0.74, 0.14)]),
        userId,
        at,
      })
      .execute(),
  )

/** Two lawns were overgrown: one stands on its visit by the rule, of the other the office was asked. */
export const findOvergrown = async (owner: Actor): Promise<void> => {
  const set = async (asks: boolean) => {
    const { version } = await withTenant(owner, getExtraSettings)
    await saveExtraSettings(owner, { overgrown: { ...usualOvergrown, on: true, asks }, version })
  }
  const [one, other] = await withTenant(owner, listMowed)
  const mark = ({ id, photoId, userId, name, at }: Mowed, stepId: string, note: string) =>
    withTenant(owner, (db) =>
      addOvergrownTx(
        db,
        { ...owner, userId, name, role: 'Employee', permissions: [] },
        { id: newId(), visitId: id, stepId, note, photoIds: [photoId], at },
      ),
    )
  await set(true)
  if (one) {
    await mark(one, 'very-tall', 'Took two passes and the bagger.')
    await draw(owner, one)
  }
  await set(false)
  if (other) await mark(other, 'tall', '')
}

/** A signature, as it comes from a finger. */
const signature: Stroke = {
  id: 'signature',
  color: 'red',
  points: Array.from({ length: 28 }, (_, n) => [
    Math.round((0.1 + n * 0.028) * 1000) / 1000,
    Math.round((0.5 + 0.22 * Math.sin(n * 0.9) * Math.cos(n * 0.23)) * 1000) / 1000,
  ]).flat(),
}

/** Two customers wanted more at the door: one for today, signed, one for another day. */
export const sellAtDoors = async (owner: Actor): Promise<void> => {
  const { service, visits } = await withTenant(owner, async (db) => {
    const found = (await listServices(db)).find(({ category }) => category === 'cleanup' || category === 'other')
    return { service: found, visits: (await listMowed(db, 4)).slice(2) }
  })
  if (!service) return
  await changeService(owner, service.id, { soldAtDoor: true, version: service.version })
  for (const [at, visit] of visits.entries())
    await withTenant(owner, async (db) => {
      const [stop] = await listSaleStops(db, [visit.id])
      if (!stop) return
      const unitCents = unitCentsAt(service, stop)
      await addSaleTx(
        db,
        { ...owner, userId: visit.userId, name: visit.name, role: 'Employee', permissions: [] },
        {
          id: newId(),
          visitId: visit.id,
          serviceId: service.id,
          quantity: 1,
          note: at === 0 ? '' : 'Any day next week but Friday.',
          photoIds: [],
          planned: at === 0 ? 'today' : 'later',
          way: unitCents === null ? 'none' : 'signature',
          unitCents,
          signer: 'At the door',
          strokes: [signature],
          position: null,
          at: visit.at,
          deviceAt: visit.at,
        },
      )
    })
}
