import { sql } from 'kysely'
import { type Actor, userIdOf } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import type { CustomFieldChanges, CustomFieldRecord, NewCustomField } from '../contract.ts'
import { type Choice, type CustomRecord, type CustomType, mostCustomFields } from '../rules.ts'
import { getCustomField, listCustomFields } from './queries.ts'

const entity = (id: string) => ({ type: 'custom_field', id })

/** Fields are counted, named and ordered one change at a time. */
const lockFields = (db: TenantDb) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`custom-fields:${db.businessId}`}, 0))`.execute(db)

const refuseTaken = (
  fields: readonly CustomFieldRecord[],
  { record, name }: { record: CustomRecord; name: string },
  exceptId: string | null,
): void => {
  const taken = fields.some(
    (one) =>
      one.id !== exceptId &&
      one.archivedAt === null &&
      one.record === record &&
      one.name.toLowerCase() === name.toLowerCase(),
  )
  if (taken) throw invalid([{ path: 'name', message: 'There is a field of this name already. Choose another one.' }])
}

const refuseTooMany = (fields: readonly CustomFieldRecord[], record: CustomRecord): void => {
  if (fields.filter((one) => one.archivedAt === null && one.record === record).length >= mostCustomFields)
    throw conflict(
      `${record === 'customer' ? 'Customers' : 'Properties'} have ${mostCustomFields} fields, the most there can be. Archive one first. Nothing was changed.`,
    )
}

/** New choices get the next number; one that is left out stays where it was chosen, and is gone from the list. */
const choicesAfter = (before: readonly Choice[], wanted: readonly { id: string | null; name: string }[]): Choice[] => {
  let next = Math.max(0, ...before.map(({ id }) => Number(id) || 0)) + 1
  const kept = wanted.map(({ id, name }) => {
    const old = id === null ? undefined : before.find((one) => one.id === id)
    const revived = before.find((one) => one.gone && one.name.toLowerCase() === name.toLowerCase())
    return { id: old?.id ?? revived?.id ?? String(next++), name }
  })
  return [
    ...kept,
    ...before.filter(({ id }) => !kept.some((one) => one.id === id)).map((one) => ({ ...one, gone: true })),
  ]
}

/** Adds a field inside a running transaction. */
const addFieldTx = async (
  db: TenantDb,
  fields: readonly CustomFieldRecord[],
  draft: {
    record: CustomRecord
    name: string
    type: CustomType
    choices: readonly { id: string | null; name: string }[]
  },
): Promise<string> => {
  refuseTaken(fields, draft, null)
  refuseTooMany(fields, draft.record)
  const id = newId()
  const now = clock.iso()
  const { record, name, type } = draft
  const choices =
    type === 'choice'
      ? choicesAfter(
          [],
          draft.choices.map((one) => ({ ...one, id: null })),
        )
      : []
  await db
    .insertInto('customFields')
    .values({
      businessId: db.businessId,
      id,
      record,
      name,
      type,
      choices: JSON.stringify(choices),
      position: fields.filter((one) => one.record === record).length + 1,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  return id
}

export const createCustomField = (who: Actor, draft: NewCustomField): Promise<CustomFieldRecord> =>
  withTenant(who, async (db) => {
    await lockFields(db)
    const id = await addFieldTx(db, await listCustomFields(db), draft)
    await audit(db, who, 'custom_field.create', entity(id), { after: { ...draft } })
    await publishChange(db, 'customers')
    return getCustomField(db, id)
  })

const setField = async (db: TenantDb, field: { id: string; version: number }, values: Record<string, unknown>) => {
  await db
    .updateTable('customFields')
    .set({ ...values, version: field.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', field.id)
    .execute()
  await publishChange(db, 'customers')
  return getCustomField(db, field.id)
}

export const changeCustomField = (who: Actor, id: string, input: CustomFieldChanges): Promise<CustomFieldRecord> =>
  withTenant(who, async (db) => {
    await lockFields(db)
    const field = await getCustomField(db, id)
    requireVersion(field, input.version, 'this field')
    if (input.name !== undefined) refuseTaken(await listCustomFields(db), { ...field, name: input.name }, id)
    if (input.choices && field.type !== 'choice')
      throw invalid([{ path: 'choices', message: 'Only a choice list has choices.' }])
    if (input.choices?.length === 0) throw invalid([{ path: 'choices', message: 'Name at least one choice.' }])
    const values = {
      ...(input.name === undefined ? {} : { name: input.name }),
      ...(input.choices ? { choices: JSON.stringify(choicesAfter(field.choices, input.choices)) } : {}),
    }
    await audit(db, who, 'custom_field.update', entity(id), {
      before: { name: field.name, choices: field.choices },
      after: values,
    })
    return setField(db, field, values)
  })

export const archiveCustomField = (who: Actor, id: string, away: boolean): Promise<CustomFieldRecord> =>
  withTenant(who, async (db) => {
    await lockFields(db)
    const field = await getCustomField(db, id)
    if ((field.archivedAt !== null) === away)
      throw conflict(`"${field.name}" is ${away ? 'archived already' : 'not archived'}. Nothing was changed.`)
    if (!away) {
      const fields = await listCustomFields(db)
      refuseTaken(fields, field, id)
      refuseTooMany(fields, field.record)
    }
    await audit(db, who, away ? 'custom_field.archive' : 'custom_field.unarchive', entity(id))
    return setField(db, field, { archivedAt: away ? clock.iso() : null })
  })

export const orderCustomFields = (
  who: Actor,
  { record, fieldIds }: { record: CustomRecord; fieldIds: readonly string[] },
): Promise<{ items: CustomFieldRecord[] }> =>
  withTenant(who, async (db) => {
    await lockFields(db)
    for (const id of fieldIds) await getCustomField(db, id)
    const own = (await listCustomFields(db)).filter((one) => one.record === record)
    const order = [...fieldIds, ...own.map(({ id }) => id).filter((id) => !fieldIds.includes(id))]
    for (const [position, id] of order.entries())
      await db
        .updateTable('customFields')
        .set({ position: position + 1 })
        .where('businessId', '=', db.businessId)
        .where('id', '=', id)
        .where('record', '=', record)
        .execute()
    await audit(db, who, 'custom_field.order', { type: 'custom_field', id: null }, { after: { record, order } })
    await publishChange(db, 'customers')
    return { items: await listCustomFields(db) }
  })

type Brought = { record: CustomRecord; name: string; type: CustomType; choices: readonly string[] }

/** Makes the fields that a file of ours speaks of, where there are none of that name and kind; as far as there is room. */
export const bringCustomFieldsTx = async (db: TenantDb, who: Actor, brought: readonly Brought[]): Promise<void> => {
  if (brought.length === 0) return
  await lockFields(db)
  for (const one of brought) {
    const fields = await listCustomFields(db)
    const live = fields.filter(({ record, archivedAt }) => archivedAt === null && record === one.record)
    if (live.length >= mostCustomFields || live.some(({ name }) => name.toLowerCase() === one.name.toLowerCase()))
      continue
    if (one.type === 'choice' && one.choices.length === 0) continue
    const id = await addFieldTx(db, fields, { ...one, choices: one.choices.map((name) => ({ id: null, name })) })
    await audit(db, who, 'custom_field.create', entity(id), { after: { ...one, by: userIdOf(who) } })
  }
  await publishChange(db, 'customers')
}
