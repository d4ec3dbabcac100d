import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import type { MessageTemplate, messageTemplatesApi } from '../contract.ts'
import { mostTemplates } from '../rules.ts'
import { getTemplate, listTemplates } from './queries.ts'

/** Names tell templates apart in the list; the rows are few. One at a time: who names one as another is just being named sees that one. */
const checkRoom = async (db: TenantDb, name: string, except: string | null): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`message-templates:${db.businessId}`}, 0))`.execute(db)
  const others = (await listTemplates(db)).filter(({ id }) => id !== except)
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw invalid([{ path: 'name', message: 'Another template has this name. Give this one another.' }])
  if (others.length >= mostTemplates)
    throw conflict(`There are ${mostTemplates} templates already. Archive one first. Nothing was saved.`)
}

const tell = async (db: TenantDb, actor: Actor, id: string, after: Record<string, unknown>): Promise<void> => {
  await audit(db, actor, 'message.template', { type: 'message_template', id }, { after })
  await publishChange(db, 'messages')
}

export const createTemplate = (
  actor: Actor,
  fields: z.output<typeof messageTemplatesApi.create.body>,
): Promise<MessageTemplate> =>
  withTenant(actor, async (db) => {
    await checkRoom(db, fields.name, null)
    const id = newId()
    const now = clock.iso()
    await db
      .insertInto('messageTemplates')
      .values({ ...fields, businessId: db.businessId, id, createdAt: now, updatedAt: now })
      .execute()
    await tell(db, actor, id, fields)
    return getTemplate(db, id)
  })

const lock = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('messageTemplates')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('template')
  return row
}

const write = async (
  db: TenantDb,
  row: Awaited<ReturnType<typeof lock>>,
  change: {
    name?: string
    textEn?: string
    textEs?: string
    subjectEn?: string
    subjectEs?: string
    archivedAt?: string | null
  },
): Promise<MessageTemplate> => {
  await db
    .updateTable('messageTemplates')
    .set({ ...change, version: row.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  return getTemplate(db, row.id)
}

/** @throws not_found, version_conflict, state_conflict */
export const updateTemplate = (
  actor: Actor,
  id: string,
  { version, name, textEn, textEs, subjectEn, subjectEs }: z.output<typeof messageTemplatesApi.update.body>,
): Promise<MessageTemplate> =>
  withTenant(actor, async (db) => {
    const row = await lock(db, id)
    requireVersion(row, version, 'this template')
    if (row.archivedAt) throw conflict('This template was archived meanwhile. Nothing was saved.')
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(textEn === undefined ? {} : { textEn }),
      ...(textEs === undefined ? {} : { textEs }),
      ...(subjectEn === undefined ? {} : { subjectEn }),
      ...(subjectEs === undefined ? {} : { subjectEs }),
    }
    if (name !== undefined) await checkRoom(db, name, id)
    await tell(db, actor, id, changes)
    return write(db, row, changes)
  })

/** Again is the same. @throws not_found, version_conflict */
export const archiveTemplate = (actor: Actor, id: string, version: number): Promise<MessageTemplate> =>
  withTenant(actor, async (db) => {
    const row = await lock(db, id)
    if (row.archivedAt) return getTemplate(db, id)
    requireVersion(row, version, 'this template')
    await tell(db, actor, id, { archived: true })
    return write(db, row, { archivedAt: clock.iso() })
  })

/** Again is the same. @throws not_found */
export const restoreTemplate = (actor: Actor, id: string): Promise<MessageTemplate> =>
  withTenant(actor, async (db) => {
    const row = await lock(db, id)
    if (!row.archivedAt) return getTemplate(db, id)
    await checkRoom(db, row.name, id)
    await tell(db, actor, id, { archived: false })
    return write(db, row, { archivedAt: null })
  })
