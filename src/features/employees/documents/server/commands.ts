import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { decryptField, encryptField } from '../../../../platform/keys.ts'
import { AppError, conflict, notFound } from '../../../../shared/errors.ts'
import { lockPerson } from '../../../accounts/team/server/commands.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import type { documentsApi, PersonDocument } from '../contract.ts'
import { documentFileName, documentMimeOf, mostDocuments } from '../rules.ts'
import { getDocument, listDocuments } from './queries.ts'

const entity = (id: string) => ({ type: 'personDocument', id })

/** The documents of a person whom the reader may reach. @throws not_found, forbidden */
export const readDocuments = (actor: Actor, userId: string) =>
  withTenant(actor, async (db) => {
    await lockPerson(db, actor, userId)
    return { today: await todayOf(db), items: await listDocuments(db, userId) }
  })

/** Puts a document on the list of a person; the same id again answers the first one. @throws not_found, unsupported_media, state_conflict */
export const addDocument = async (
  actor: Actor,
  userId: string,
  { documentId, kind, name = '', expiresOn }: z.output<typeof documentsApi.add.query>,
  bytes: unknown,
): Promise<PersonDocument> => {
  // whoever may not reach the person hears nothing of the file either
  await withTenant(actor, (db) => lockPerson(db, actor, userId))
  const mime = Buffer.isBuffer(bytes) ? documentMimeOf(bytes) : null
  if (!Buffer.isBuffer(bytes) || mime === null)
    throw new AppError(
      'unsupported_media',
      'A document is a PDF or a picture in JPEG, PNG or WebP. Nothing was changed.',
    )
  const sealed = encryptField(bytes.toString('base64'))
  return withTenant(actor, async (db) => {
    await lockPerson(db, actor, userId)
    const known = await db
      .selectFrom('personDocuments')
      .select('userId')
      .where('businessId', '=', db.businessId)
      .where('id', '=', documentId)
      .executeTakeFirst()
    if (known && known.userId !== userId) throw conflict('This document already belongs to another person.')
    if (known) return getDocument(db, documentId)
    if ((await listDocuments(db, userId)).length >= mostDocuments)
      throw conflict(`A person has up to ${mostDocuments} documents. Take off what is over first. Nothing was saved.`)
    const now = clock.iso()
    const values = { userId, kind, name, expiresOn: expiresOn ?? null, mime, byteCount: bytes.byteLength }
    await db
      .insertInto('personDocuments')
      .values({
        ...values,
        businessId: db.businessId,
        id: documentId,
        addedBy: actor.userId,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await db.insertInto('personDocumentFiles').values({ businessId: db.businessId, documentId, sealed }).execute()
    await audit(db, actor, 'document.add', entity(documentId), { after: values })
    await publishChange(db, 'crews', [userId])
    return getDocument(db, documentId)
  })
}

const lockDocument = async (db: TenantDb, actor: Actor, id: string, version: number) => {
  const row = await db
    .selectFrom('personDocuments')
    .select(['id', 'userId', 'version', 'removedAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('document')
  await lockPerson(db, actor, row.userId)
  requireVersion(row, version, 'this document')
  return row
}

type Change = Partial<Pick<PersonDocument, 'kind' | 'name' | 'expiresOn'>> & { removedAt?: string | null }

const write = async (db: TenantDb, row: { id: string; userId: string }, change: Change): Promise<PersonDocument> => {
  await db
    .updateTable('personDocuments')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  await publishChange(db, 'crews', [row.userId])
  return getDocument(db, row.id)
}

export const changeDocument = (
  actor: Actor,
  id: string,
  { version, ...draft }: z.output<typeof documentsApi.update.body>,
): Promise<PersonDocument> =>
  withTenant(actor, async (db) => {
    const row = await lockDocument(db, actor, id, version)
    if (row.removedAt !== null) throw conflict('This document was taken off. Nothing was changed.')
    await audit(db, actor, 'document.change', entity(id), { after: draft })
    return write(db, row, draft)
  })

/** Takes a document off, or brings it back; what is so already stays. */
export const keepDocument = (actor: Actor, id: string, version: number, keep: boolean): Promise<PersonDocument> =>
  withTenant(actor, async (db) => {
    const row = await lockDocument(db, actor, id, version)
    if ((row.removedAt === null) === keep) return getDocument(db, id)
    await audit(db, actor, keep ? 'document.restore' : 'document.remove', entity(id))
    return write(db, row, { removedAt: keep ? null : clock.iso() })
  })

/** What a document shows, and that somebody looked. @throws not_found, forbidden */
export const openDocument = (actor: Actor, id: string) =>
  withTenant(actor, async (db) => {
    const document = await getDocument(db, id)
    if (document.removed) throw notFound('document')
    const person = await lockPerson(db, actor, document.userId)
    const { sealed } = await db
      .selectFrom('personDocumentFiles')
      .select('sealed')
      .where('businessId', '=', db.businessId)
      .where('documentId', '=', id)
      .executeTakeFirstOrThrow()
    await audit(db, actor, 'document.open', entity(id), { after: { userId: document.userId } })
    return { document, sealed, name: documentFileName({ ...document, person: person.name }) }
  }).then(({ document, sealed, name }) => ({
    mime: document.mime,
    name,
    bytes: Buffer.from(decryptField(sealed), 'base64'),
  }))
