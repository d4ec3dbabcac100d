import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { storeObject } from '../../../../platform/storage.ts'
import { AppError, invalid, notFound } from '../../../../shared/errors.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { imageKindOf, isPdf } from '../../../files/rules.ts'
import { addDocumentTx, addFileTx, storeImage } from '../../../files/server/commands.ts'
import type { Exemptions, exemptionsApi } from '../contract.ts'
import { listExemptions } from './queries.ts'

/** Puts a certificate on file. */
export const addExemption = (
  actor: Actor,
  customerId: string,
  draft: z.output<typeof exemptionsApi.add.body>,
): Promise<Exemptions> =>
  withTenant(actor, async (db) => {
    await getContact(db, customerId)
    if (draft.validUntil !== null && draft.validUntil < draft.validFrom)
      throw invalid([{ path: 'validUntil', message: 'It ends before it begins' }])
    const id = newId()
    await db
      .insertInto('taxExemptions')
      .values({ businessId: db.businessId, id, customerId, ...draft, createdBy: actor.userId, createdAt: clock.iso() })
      .execute()
    await audit(db, actor, 'exemption.add', { type: 'customer', id: customerId }, { after: draft })
    await publishChange(db, 'customers', [customerId])
    return listExemptions(db, customerId)
  })

/** Adds the certificates of customers that an import made; the papers themselves stay in the archive they came in. */
export const insertImportedExemptionsTx = async (
  db: TenantDb,
  certificates: readonly (Pick<z.output<typeof exemptionsApi.add.body>, 'certificate' | 'state'> & {
    customerId: string
    validFrom: string
    validUntil: string | null
  })[],
): Promise<void> => {
  if (certificates.length === 0) return
  const createdAt = clock.iso()
  await db
    .insertInto('taxExemptions')
    .values(certificates.map((one) => ({ ...one, businessId: db.businessId, id: newId(), createdAt })))
    .execute()
}

/** Changes a certificate that is on file. @throws not_found */
const changeTx = async (
  db: TenantDb,
  actor: Actor,
  id: string,
  change: { fileId: string } | { removedAt: string },
): Promise<Exemptions> => {
  const row = await db
    .updateTable('taxExemptions')
    .set(change)
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .returning(['customerId', 'certificate'])
    .executeTakeFirst()
  if (!row) throw notFound('certificate')
  const { customerId, certificate } = row
  await audit(
    db,
    actor,
    'fileId' in change ? 'exemption.file' : 'exemption.remove',
    { type: 'customer', id: customerId },
    { after: { certificate } },
  )
  await publishChange(db, 'customers', [customerId])
  return listExemptions(db, customerId)
}

/** Takes a certificate off file; what was invoiced with it stays. */
export const removeExemption = (actor: Actor, id: string): Promise<Exemptions> =>
  withTenant(actor, (db) => changeTx(db, actor, id, { removedAt: clock.iso() }))

/** Keeps the certificate as it was handed in: a PDF, or a picture cleaned like every picture. @throws not_found, unsupported_media */
export const setExemptionFile = async (actor: Actor, id: string, bytes: Uint8Array): Promise<Exemptions> => {
  await withTenant(actor, async (db) => {
    const row = await db
      .selectFrom('taxExemptions')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .where('removedAt', 'is', null)
      .executeTakeFirst()
    if (!row) throw notFound('certificate')
  })
  if (isPdf(bytes)) {
    const stored = await storeObject(actor.businessId, Buffer.from(bytes))
    return withTenant(actor, async (db) => {
      const file = { ...stored, mime: 'application/pdf', name: 'Tax exemption.pdf' }
      return changeTx(db, actor, id, { fileId: await addDocumentTx(db, 'exemption', file) })
    })
  }
  if (!imageKindOf(bytes))
    throw new AppError(
      'unsupported_media',
      'We can keep a certificate as a PDF or as a photo in JPEG, PNG or WebP. Nothing was changed.',
    )
  const image = await storeImage(actor, bytes)
  return withTenant(actor, async (db) =>
    changeTx(db, actor, id, { fileId: await addFileTx(db, actor, 'exemption', image, 'Tax exemption') }),
  )
}
