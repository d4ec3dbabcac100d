import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Actor, Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import { invalid, notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import type { ServiceChange, ServiceDraft } from '../contract.ts'
import { defaultServices } from '../defaults/rules.ts'
import { addPriceVersionTx } from '../prices/server/commands.ts'
import { measureProblem, priceRuleProblem, serviceRefusals } from '../rules.ts'
import { getService, listServices, type PricedService } from './queries.ts'

export { changePricesTx, lockServicesTx, undoPricesTx } from '../prices/server/commands.ts'

const check = (draft: ServiceDraft): void => {
  const problem = priceRuleProblem(draft.priceRule) ?? measureProblem(draft)
  if (problem) throw invalid([problem])
}

const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'service'

/** A code that no service of the catalog has. */
const freeCode = async (db: TenantDb, name: string): Promise<string> => {
  const taken = new Set(
    (await db.selectFrom('services').select('code').where('businessId', '=', db.businessId).execute()).map(
      (s) => s.code,
    ),
  )
  const base = slug(name)
  for (let n = 1; ; n++) {
    const code = n === 1 ? base : `${base}-${n}`
    if (!taken.has(code)) return code
  }
}

const rowOf = (draft: ServiceDraft) => ({
  name: draft.name,
  nameEs: draft.nameEs,
  description: draft.description,
  category: draft.category,
  unit: draft.unit,
  measuredBy: draft.measuredBy,
  priceRule: JSON.stringify(draft.priceRule),
  timeRule: JSON.stringify(draft.timeRule),
  taxCategory: draft.taxCategory,
  checklist: JSON.stringify(draft.checklist),
  photoRequired: draft.photoRequired,
  soldAtDoor: draft.soldAtDoor,
  minGapDays: draft.minGapDays,
  skills: draft.skills,
  updatedAt: clock.iso(),
})

const nextPosition = async (db: TenantDb): Promise<number> => {
  const { last } = await db
    .selectFrom('services')
    .where('businessId', '=', db.businessId)
    .select((eb) => eb.fn.max('position').as('last'))
    .executeTakeFirstOrThrow()
  return (last ?? -1) + 1
}

/** Adds a service at the end of the catalog. */
export const createServiceTx = async (db: TenantDb, who: Who, draft: ServiceDraft): Promise<PricedService> => {
  check(draft)
  const id = newId()
  await db
    .insertInto('services')
    .values({
      businessId: db.businessId,
      id,
      code: await freeCode(db, draft.name),
      ...rowOf(draft),
      position: await nextPosition(db),
      createdAt: clock.iso(),
    })
    .execute()
  await audit(db, who, 'service.create', { type: 'service', id }, { after: { name: draft.name } })
  await publishChange(db, 'services', [id])
  return getService(db, id)
}

export const createService = (who: Who, draft: ServiceDraft): Promise<PricedService> =>
  withTenant(who, (db) => createServiceTx(db, who, draft))

/** Takes services out again that nothing uses: an import made them and was undone. */
export const deleteUnusedServicesTx = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`
    delete from services s where s.business_id = ${db.businessId} and s.id = any(${[...ids]}::uuid[])
      and not exists (select 1 from job_lines l where l.business_id = s.business_id and l.service_id = s.id)
      and not exists (select 1 from visit_lines v where v.business_id = s.business_id and v.service_id = s.id)
      and not exists (select 1 from invoice_lines i where i.business_id = s.business_id and i.service_id = s.id)`.execute(
    db,
  )
  await publishChange(db, 'services', [...ids])
}

/** Adds the usual services whose code the business does not have; for a new business and the demo too. Repeating it adds nothing. */
export const addDefaultServicesTx = async (db: TenantDb, who: Who): Promise<PricedService[]> => {
  const now = clock.iso()
  const start = await nextPosition(db)
  const rows = defaultServices.map((service, index) => ({
    businessId: db.businessId,
    id: newId(),
    code: service.code,
    ...rowOf(service),
    position: start + index,
    createdAt: now,
  }))
  const added = await db
    .insertInto('services')
    .values(rows)
    .onConflict((c) => c.columns(['businessId', 'code']).where('archivedAt', 'is', null).doNothing())
    .returning('id')
    .execute()
  if (added.length > 0) {
    await audit(db, who, 'service.addDefaults', { type: 'service', id: null }, { after: { count: added.length } })
    await publishChange(
      db,
      'services',
      added.map((row) => row.id),
    )
  }
  return listServices(db)
}

export const addDefaultServices = (who: Who): Promise<PricedService[]> =>
  withTenant(who, (db) => addDefaultServicesTx(db, who))

const lock = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('services')
    .select(['version', 'archivedAt', 'code', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('service')
  return row
}

/** Changes a service. A new price rule is a further version from today; jobs keep the prices they were made with. */
export const changeService = (
  actor: Actor,
  id: string,
  { version, ...changes }: ServiceChange,
): Promise<PricedService> =>
  withTenant(actor, async (db) => {
    const before = await lock(db, id)
    requireVersion(before, version, 'this service')
    refuse(serviceRefusals.update(before))
    const was = await getService(db, id)
    const draft = { ...was, ...changes }
    check(draft)
    const { priceRule: _first, ...row } = rowOf(draft)
    if (!isDeepStrictEqual(draft.priceRule, was.priceRule))
      await addPriceVersionTx(db, actor, id, { priceRule: draft.priceRule, fromOn: await todayOf(db) })
    await db
      .updateTable('services')
      .set({ ...row, version: version + 1 })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(
      db,
      actor,
      'service.update',
      { type: 'service', id },
      {
        before: { name: was.name, measuredBy: was.measuredBy, priceRule: was.priceRule },
        after: { name: draft.name, measuredBy: draft.measuredBy, priceRule: draft.priceRule },
      },
    )
    await publishChange(db, 'services', [id])
    return getService(db, id)
  })

const setArchived = (actor: Actor, id: string, archived: boolean): Promise<PricedService> =>
  withTenant(actor, async (db) => {
    const before = await lock(db, id)
    refuse(serviceRefusals[archived ? 'archive' : 'restore'](before))
    // The code may have gone to a newer service meanwhile.
    const twin = archived
      ? undefined
      : await db
          .selectFrom('services')
          .select('id')
          .where('businessId', '=', db.businessId)
          .where('code', '=', before.code)
          .where('archivedAt', 'is', null)
          .executeTakeFirst()
    await db
      .updateTable('services')
      .set((eb) => ({
        archivedAt: archived ? clock.iso() : null,
        updatedAt: clock.iso(),
        version: eb('version', '+', 1),
        ...(twin ? { code: newId().slice(-12) } : {}),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, archived ? 'service.archive' : 'service.restore', { type: 'service', id })
    await publishChange(db, 'services', [id])
    return getService(db, id)
  })

export const archiveService = (actor: Actor, id: string): Promise<PricedService> => setArchived(actor, id, true)
export const restoreService = (actor: Actor, id: string): Promise<PricedService> => setArchived(actor, id, false)

/** Puts the named services first, in this order; others follow as they were. */
export const reorderServices = (actor: Actor, ids: readonly string[]): Promise<PricedService[]> =>
  withTenant(actor, async (db) => {
    const rows = await db
      .selectFrom('services')
      .select(['id', 'position'])
      .where('businessId', '=', db.businessId)
      .where('archivedAt', 'is', null)
      .orderBy('position')
      .orderBy('name')
      .forUpdate()
      .execute()
    const known = new Set(rows.map((row) => row.id))
    const first = [...new Set(ids)]
    if (first.some((id) => !known.has(id))) throw notFound('service')
    const order = [...first, ...rows.map((row) => row.id).filter((id) => !first.includes(id))]
    for (const [position, id] of order.entries()) {
      await db
        .updateTable('services')
        .set({ position })
        .where('businessId', '=', db.businessId)
        .where('id', '=', id)
        .execute()
    }
    await publishChange(db, 'services', order)
    return listServices(db)
  })
