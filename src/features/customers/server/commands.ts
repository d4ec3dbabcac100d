import { sql } from 'kysely'
import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { decryptField, encryptField } from '../../../platform/keys.ts'
import { refuse } from '../../../shared/can.ts'
import { AppError, invalid, notFound } from '../../../shared/errors.ts'
import { limitsOf } from '../../billing/rules.ts'
import { findMeasuredLawn } from '../areas/server/queries.ts'
import type {
  CustomerChanges,
  CustomerChoice,
  CustomerRecord,
  NewCustomer,
  NewProperty,
  Property,
  PropertyChanges,
} from '../contract.ts'
import { customAfter } from '../custom/server/queries.ts'
import { takeNumberTx } from '../numbers/server/commands.ts'
import { currentJobsLabel, customerRefusals, limitRefusal, propertyRefusals } from '../rules.ts'
import { type SourcesWere, setSourcesBackTx, setSourcesTx } from './bulk/sources.ts'
import { placeAfter } from './places.ts'
import {
  findDuplicatesTx,
  findGateCodeCipher,
  findVisitOfMineToday,
  getCustomer,
  getCustomerLimit,
  getProperty,
  getPropertyContent,
  lockChosenTx,
} from './queries.ts'

export { listAddressesWanted, placePropertiesTx, wantPlacesTx } from './places.ts'

/**
 * Counts the business's customers so that no other transaction can add one until this one ends, and refuses when the plan holds no more.
 * @throws AppError customer_limit_reached (402), naming the plan that allows it
 */
export const reserveCustomersTx = async (db: TenantDb, adding: number): Promise<void> => {
  const { active, planTier } = await lockCustomerLimitTx(db)
  const refusal = limitRefusal(planTier, active, adding)
  if (refusal) {
    throw new AppError('customer_limit_reached', refusal.message, {
      details: { limit: refusal.limit, customers: active, plan: refusal.plan },
    })
  }
}

/** The count of customers and the limit, held still until the transaction ends. */
export const lockCustomerLimitTx = async (db: TenantDb) => {
  const business = await db
    .selectFrom('businesses')
    .select('planTier')
    .where('businessId', '=', db.businessId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  // counted by a later statement: it sees what was committed while this one waited for the lock
  return { ...(await getCustomerLimit(db)), limit: limitsOf(business.planTier).customerLimit }
}

const insertPropertyTx = async (
  db: TenantDb,
  customerId: string,
  input: NewProperty,
  path = 'custom',
): Promise<string> => {
  const { gateCode, latitude, longitude, custom, ...fields } = input
  const values = await customAfter(db, 'property', {}, custom, path)
  const id = newId()
  const now = clock.iso()
  const pinned = typeof latitude === 'number' && typeof longitude === 'number'
  await db
    .insertInto('properties')
    .values({
      ...fields,
      businessId: db.businessId,
      id,
      customerId,
      latitude: pinned ? latitude : null,
      longitude: pinned ? longitude : null,
      geocodeQuality: pinned ? 'manual' : 'none',
      geocodeWantedAt: pinned ? null : now,
      gateCodeCipher: gateCode ? encryptField(gateCode) : null,
      ...(values ? { custom: JSON.stringify(values) } : {}),
      ...(typeof fields.lawnSquareFeet === 'number' ? { lawnMeasuredAt: now, lawnMeasuredHow: 'typed' as const } : {}),
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  if (!pinned) await emit(db, 'property.addressed', { propertyId: id })
  return id
}

const refuseDuplicates = async (db: TenantDb, input: NewCustomer): Promise<void> => {
  const { street = '', unit = '', city = '', zip = '' } = input.property ?? {}
  const probe = { email: input.email ?? null, phone: input.phone ?? null, street, unit, city, zip }
  const duplicates = (await findDuplicatesTx(db, [probe])).get(0) ?? []
  if (duplicates.length === 0) return
  throw new AppError(
    'conflict',
    duplicates.length === 1
      ? `${duplicates[0]?.name} is in your list already. Nothing was saved yet: open that customer, or add this one anyway.`
      : `${duplicates.length} customers in your list look like this one. Nothing was saved yet: open one of them, or add this one anyway.`,
    { details: { duplicates } },
  )
}

/** Adds a customer with the first property inside a running transaction; for leads and quotes that become customers, too. */
export const createCustomerTx = async (
  db: TenantDb,
  who: Who,
  /** `source`: where they came from, in words; empty where nobody said. */
  input: NewCustomer & { source?: string },
): Promise<string> => {
  const { property, allowDuplicate, custom, ...fields } = input
  const values = await customAfter(db, 'customer', {}, custom)
  if (!allowDuplicate) await refuseDuplicates(db, input)
  await reserveCustomersTx(db, 1)
  const id = newId()
  const now = clock.iso()
  await db
    .insertInto('customers')
    .values({
      ...fields,
      ...(values ? { custom: JSON.stringify(values) } : {}),
      businessId: db.businessId,
      id,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  if (property) await insertPropertyTx(db, id, property, 'property.custom')
  await audit(db, who, 'customer.create', { type: 'customer', id })
  await publishChange(db, 'customers', [id])
  return id
}

export const createCustomer = async (who: Actor, input: NewCustomer): Promise<CustomerRecord> =>
  withTenant(who, async (db) => {
    const customerId = await createCustomerTx(db, who, input)
    await takeNumberTx(db, who, { customerId, phone: input.phone, isNew: true })
    return getCustomer(db, who, customerId)
  })

const lockCustomer = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('customers')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('customer')
  return row
}

/** A property whose row is held still until the transaction ends. @throws not_found */
export const lockProperty = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('properties')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('property')
  return row
}

/** What of `row` differs from the wished values: the two sides of an audit entry. */
const difference = (row: Record<string, unknown>, changes: Record<string, unknown>) => {
  const keys = Object.keys(changes).filter((key) => JSON.stringify(row[key]) !== JSON.stringify(changes[key]))
  const pick = (source: Record<string, unknown>) => Object.fromEntries(keys.map((key) => [key, source[key]]))
  return { before: pick(row), after: pick(changes) }
}

const setCustomer = async (db: TenantDb, id: string, version: number, values: Record<string, unknown>) => {
  await db
    .updateTable('customers')
    .set({ ...values, version: version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  await publishChange(db, 'customers', [id])
}

/** Writes values of a property that is locked, and tells open screens. */
export const setProperty = async (
  db: TenantDb,
  who: Actor,
  row: { id: string; customerId: string; version: number },
  values: Record<string, unknown>,
): Promise<Property> => {
  await db
    .updateTable('properties')
    .set({ ...values, version: row.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  await publishChange(db, 'customers', [row.customerId])
  return getProperty(db, who, row.id)
}

/** Changes a customer inside a running transaction; for what customers change themselves, too. */
export const updateCustomerTx = async (db: TenantDb, who: Who, id: string, input: CustomerChanges): Promise<void> => {
  const { version, custom, ...fields } = input
  const row = await lockCustomer(db, id)
  requireVersion(row, version, 'this customer')
  const values = await customAfter(db, 'customer', row.custom, custom)
  const changes = { ...fields, ...(values ? { custom: values } : {}) }
  await setCustomer(db, id, version, { ...fields, ...(values ? { custom: JSON.stringify(values) } : {}) })
  await audit(db, who, 'customer.update', { type: 'customer', id }, difference(row, changes))
  if (fields.phone !== row.phone) await takeNumberTx(db, who, { customerId: id, phone: fields.phone, isNew: false })
}

export const updateCustomer = async (who: Actor, id: string, input: CustomerChanges): Promise<CustomerRecord> =>
  withTenant(who, async (db) => {
    await updateCustomerTx(db, who, id, input)
    return getCustomer(db, who, id)
  })

export const archiveCustomer = async (who: Actor, id: string): Promise<CustomerRecord> =>
  withTenant(who, async (db) => {
    const row = await lockCustomer(db, id)
    const [chosen] = await lockChosenTx(db, { ids: [id] })
    refuse(customerRefusals.archive({ currentJobs: 0, runningPlan: null, ...chosen, ...row }))
    await setCustomer(db, id, row.version, { archivedAt: clock.iso() })
    await audit(db, who, 'customer.archive', { type: 'customer', id })
    return getCustomer(db, who, id)
  })

export const unarchiveCustomer = async (who: Actor, id: string): Promise<CustomerRecord> =>
  withTenant(who, async (db) => {
    const row = await lockCustomer(db, id)
    refuse(customerRefusals.unarchive({ ...row, currentJobs: 0, runningPlan: null }))
    await reserveCustomersTx(db, 1)
    await setCustomer(db, id, row.version, { archivedAt: null })
    await audit(db, who, 'customer.unarchive', { type: 'customer', id })
    await takeNumberTx(db, who, { customerId: id, phone: row.phone, isNew: false })
    return getCustomer(db, who, id)
  })

export type BulkAction =
  | { kind: 'tag' | 'untag'; tag: string }
  | { kind: 'archive' | 'unarchive' }
  | { kind: 'source'; source: string }
  | { kind: 'sourceBack'; were: SourcesWere }

/** More are not named one by one: the choice to take it back would not fit a request. */
const mostUndone = 1_000

/** Does one thing to many customers. Those it cannot be done to stay as they are and are named. */
export const changeCustomers = async (who: Actor, choice: CustomerChoice, action: BulkAction) =>
  withTenant(who, async (db) => {
    const chosen = await lockChosenTx(db, choice)
    const busy = action.kind === 'archive' ? chosen.filter((c) => c.currentJobs > 0 || c.runningPlan !== null) : []
    const archiving = action.kind === 'archive' || action.kind === 'unarchive'
    let ids = chosen
      .filter((c) => !busy.includes(c) && (!archiving || (c.archivedAt === null) === (action.kind === 'archive')))
      .map((c) => c.id)
    if (action.kind === 'unarchive' && ids.length > 0) await reserveCustomersTx(db, ids.length)
    const tag = action.kind === 'tag' || action.kind === 'untag' ? action.tag : null
    let were: SourcesWere | null = null
    const now = clock.iso()
    const all = db
      .updateTable('customers')
      .where('businessId', '=', db.businessId)
      .where('id', 'in', ids)
      .set((eb) => ({ version: eb('version', '+', 1), updatedAt: now }))
    if (ids.length > 0) {
      if (action.kind === 'archive') await all.set({ archivedAt: now }).execute()
      else if (action.kind === 'unarchive') await all.set({ archivedAt: null }).execute()
      else if (action.kind === 'source' || action.kind === 'sourceBack') {
        were = await (action.kind === 'source'
          ? setSourcesTx(db, ids, action.source)
          : setSourcesBackTx(db, ids, action.were))
        ids = were.flatMap((one) => one.ids)
      } else {
        // Who has the tag already, or has it not, is left as is: taking the action back does not touch them either.
        const has = sql<boolean>`tags @> array[${tag}]::text[]`
        const rows = await (action.kind === 'untag'
          ? all.set({ tags: sql`array_remove(tags, ${tag})` }).where(has)
          : all.set({ tags: sql`array_append(tags, ${tag})` }).where(sql<boolean>`not ${has}`)
        )
          .returning('id')
          .execute()
        ids = rows.map(({ id }) => id)
      }
    }
    if (ids.length > 0) {
      await audit(
        db,
        who,
        `customer.bulk.${action.kind}`,
        { type: 'customer', id: null },
        {
          after: {
            ids,
            ...(tag === null ? {} : { tag }),
            ...(action.kind === 'source' ? { source: action.source } : {}),
          },
        },
      )
      await publishChange(db, 'customers', ids)
    }
    return {
      changed: ids.length,
      changedIds: ids.length > mostUndone ? null : ids,
      ...(were === null || ids.length > mostUndone ? {} : { sourcesWere: were }),
      skipped: busy.slice(0, 50).map(({ id, name, currentJobs, runningPlan }) => ({
        id,
        name,
        reason: currentJobs > 0 ? currentJobsLabel(currentJobs) : `pays by ${runningPlan}`,
      })),
      skippedCount: busy.length,
    }
  })

/** Adds a property to a customer inside a running transaction. @throws AppError not_found */
export const addPropertyTx = async (
  db: TenantDb,
  who: Who,
  customerId: string,
  input: NewProperty,
): Promise<string> => {
  const customer = await lockCustomer(db, customerId)
  const id = await insertPropertyTx(db, customerId, input)
  await audit(db, who, 'property.create', { type: 'property', id })
  await publishChange(db, 'customers', [customer.id])
  return id
}

export const addProperty = async (who: Actor, customerId: string, input: NewProperty): Promise<Property> =>
  withTenant(who, async (db) => getProperty(db, who, await addPropertyTx(db, who, customerId, input)))

/** A typed lawn size: who typed it and when. Refused where areas say another one. */
const typedLawn = async (
  db: TenantDb,
  who: Actor,
  row: { id: string; lawnSquareFeet: number | null },
  { lawnSquareFeet }: { lawnSquareFeet?: number | null | undefined },
) => {
  if (lawnSquareFeet === undefined || lawnSquareFeet === row.lawnSquareFeet) return {}
  const measured = await findMeasuredLawn(db, row.id)
  if (measured !== null)
    throw invalid([
      {
        path: 'lawnSquareFeet',
        message: `The areas of this property say ${measured.toLocaleString('en-US')} square feet of turf. Change the areas instead, or remove them first.`,
      },
    ])
  return lawnSquareFeet === null
    ? { lawnMeasuredAt: null, lawnMeasuredBy: null, lawnMeasuredHow: null }
    : { lawnMeasuredAt: clock.iso(), lawnMeasuredBy: userIdOf(who), lawnMeasuredHow: 'typed' as const }
}

export const updateProperty = async (who: Actor, id: string, input: PropertyChanges): Promise<Property> =>
  withTenant(who, async (db) => {
    const { version, gateCode, relocate, custom, ...changes } = input
    const row = await lockProperty(db, id)
    requireVersion(row, version, 'this property')
    refuse(propertyRefusals.update({ ...row, currentJobs: 0 }))
    const place = placeAfter(row, changes, relocate)
    if (place.wanted) await emit(db, 'property.addressed', { propertyId: id })
    const cipher = gateCode === undefined ? {} : { gateCodeCipher: gateCode === null ? null : encryptField(gateCode) }
    const values = await customAfter(db, 'property', row.custom, custom)
    const { before, after } = difference(row, { ...changes, ...(values ? { custom: values } : {}) })
    const code = gateCode === undefined ? {} : { gateCode: gateCode === null ? 'removed' : 'changed' }
    await audit(db, who, 'property.update', { type: 'property', id }, { before, after: { ...after, ...code } })
    return setProperty(db, who, row, {
      ...changes,
      ...(values ? { custom: JSON.stringify(values) } : {}),
      ...cipher,
      ...place.values,
      ...(await typedLawn(db, who, row, changes)),
    })
  })

/** A person who drags a pin knows better than any look-up. */
export const setLocation = async (
  who: Actor,
  id: string,
  { version, ...pin }: { latitude: number; longitude: number; version: number },
): Promise<Property> =>
  withTenant(who, async (db) => {
    const row = await lockProperty(db, id)
    requireVersion(row, version, 'this property')
    refuse(propertyRefusals.locate({ ...row, currentJobs: 0 }))
    await audit(db, who, 'property.locate', { type: 'property', id }, difference(row, pin))
    return setProperty(db, who, row, { ...pin, geocodeQuality: 'manual', geocodeNote: '', geocodeWantedAt: null })
  })

export const archiveProperty = async (who: Actor, id: string): Promise<Property> =>
  withTenant(who, async (db) => {
    const row = await lockProperty(db, id)
    refuse(propertyRefusals.archive(await getPropertyContent(db, id)))
    await audit(db, who, 'property.archive', { type: 'property', id })
    return setProperty(db, who, row, { archivedAt: clock.iso() })
  })

export const unarchiveProperty = async (who: Actor, id: string): Promise<Property> =>
  withTenant(who, async (db) => {
    const row = await lockProperty(db, id)
    refuse(propertyRefusals.unarchive({ ...row, currentJobs: 0 }))
    await audit(db, who, 'property.unarchive', { type: 'property', id })
    return setProperty(db, who, row, { archivedAt: null })
  })

/**
 * Shows a gate code and writes down who saw it. The office may always; an employee only while a crew of his has a visit there today.
 * @throws AppError forbidden (403)
 */
export const revealGateCode = async (who: Actor, propertyId: string): Promise<string> =>
  withTenant(who, async (db) => {
    const cipher = await findGateCodeCipher(db, propertyId)
    const visitId = await findVisitOfMineToday(db, propertyId, who.userId)
    if (who.role === 'Employee' && visitId === null)
      throw new AppError(
        'forbidden',
        'Gate codes show on the day your crew works there. Ask the office if you need it now.',
      )
    if (cipher === null) throw notFound('gate code')
    await noteGateCodeRevealTx(db, { propertyId, userId: userIdOf(who) ?? who.userId, visitId })
    return decryptField(cipher)
  })

/** Writes down who saw a gate code, and at which visit. */
export const noteGateCodeRevealTx = async (
  db: TenantDb,
  { at = clock.iso(), ...seen }: { propertyId: string; userId: string; visitId: string | null; at?: string },
): Promise<void> => {
  await db
    .insertInto('gateCodeReveals')
    .values({ ...seen, businessId: db.businessId, id: newId(), at })
    .execute()
}
