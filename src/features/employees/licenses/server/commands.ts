import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { lockPerson } from '../../../accounts/team/server/commands.ts'
import type { License, LicenseDraft } from '../contract.ts'
import { getLicense } from './queries.ts'

type Draft = z.output<typeof LicenseDraft>

const entity = (id: string) => ({ type: 'license', id })

export const addLicense = (actor: Actor, userId: string, draft: Draft): Promise<License> =>
  withTenant(actor, async (db) => {
    await lockPerson(db, actor, userId)
    const id = newId()
    const now = clock.iso()
    await db
      .insertInto('licenses')
      .values({ ...draft, businessId: db.businessId, id, userId, createdAt: now, updatedAt: now })
      .execute()
    await audit(db, actor, 'license.add', entity(id), { after: { ...draft, userId } })
    await publishChange(db, 'crews', [userId])
    return getLicense(db, id)
  })

const lockLicense = async (db: TenantDb, actor: Actor, id: string, version: number) => {
  const row = await db
    .selectFrom('licenses')
    .select(['id', 'userId', 'version', 'deletedAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('license')
  await lockPerson(db, actor, row.userId)
  requireVersion(row, version, 'this license')
  return row
}

const write = async (
  db: TenantDb,
  row: { id: string; userId: string },
  change: Partial<Draft> & { deletedAt?: string | null },
): Promise<License> => {
  await db
    .updateTable('licenses')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  await publishChange(db, 'crews', [row.userId])
  return getLicense(db, row.id)
}

export const changeLicense = (actor: Actor, id: string, { version, ...draft }: Draft & { version: number }) =>
  withTenant(actor, async (db) => {
    const row = await lockLicense(db, actor, id, version)
    if (row.deletedAt !== null) throw conflict('This license was removed. Nothing was changed.')
    await audit(db, actor, 'license.change', entity(id), { after: draft })
    return write(db, row, draft)
  })

/** Takes a license off, or brings it back; what is so already stays. */
export const keepLicense = (actor: Actor, id: string, version: number, keep: boolean) =>
  withTenant(actor, async (db) => {
    const row = await lockLicense(db, actor, id, version)
    if ((row.deletedAt === null) === keep) return getLicense(db, id)
    await audit(db, actor, keep ? 'license.restore' : 'license.remove', entity(id), {})
    return write(db, row, { deletedAt: keep ? null : clock.iso() })
  })
