import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { invalid } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import type { SenderRegistration, senderRegistrationApi } from '../contract.ts'
import { markRefusal } from '../rules.ts'
import { findRegistration, getRegistration, registrationOf } from './queries.ts'

type Body<K extends 'save' | 'mark'> = z.output<(typeof senderRegistrationApi)[K]['body']>

/** One at a time: of two who begin at once the second sees what the first said. */
const lockRow = async (db: TenantDb, version: number) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sender-registration:${db.businessId}`}, 0))`.execute(db)
  const row = await findRegistration(db, true)
  requireVersion({ version: row?.version ?? 0 }, version, 'this registration')
  return row
}

/** What was sent in was of the other kind of number: another kind begins anew. */
const afresh = {
  brand: 'open',
  brandOn: null,
  brandNote: null,
  campaign: 'open',
  campaignOn: null,
  campaignNote: null,
} as const

/** @throws version_conflict */
export const saveRegistration = (actor: Actor, body: Body<'save'>): Promise<SenderRegistration> =>
  withTenant(actor, async (db) => {
    const row = await lockRow(db, body.version)
    const now = clock.iso()
    const values = {
      kind: body.kind,
      details: JSON.stringify(body.details),
      version: body.version + 1,
      updatedAt: now,
      ...(row && row.kind !== null && row.kind !== body.kind ? afresh : {}),
    }
    const id = row?.id ?? newId()
    await db
      .insertInto('senderRegistrations')
      .values({ businessId: db.businessId, id, createdAt: now, ...values })
      .onConflict((c) => c.columns(['businessId', 'id']).doUpdateSet(values))
      .execute()
    await audit(db, actor, 'sender.registration', { type: 'sender_registration', id }, { after: { kind: body.kind } })
    await publishChange(db, 'business')
    return getRegistration(db)
  })

/** @throws state_conflict, version_conflict, validation_failed for a day to come or a return without a reason */
export const markRegistration = (actor: Actor, body: Body<'mark'>): Promise<SenderRegistration> =>
  withTenant(actor, async (db) => {
    const row = await lockRow(db, body.version)
    const { step, state } = body
    refuse(markRefusal({ ...(await registrationOf(db, row)), step, to: state }))
    if (!row) throw new Error('a refusal let something through that is not there')
    const today = await todayOf(db)
    if (body.on !== null && body.on > today) throw invalid([{ path: 'on', message: 'This day is still to come.' }])
    if (state === 'returned' && !body.note)
      throw invalid([{ path: 'note', message: 'Write why it was sent back, as their answer says it.' }])
    const on = state === 'open' ? null : (body.on ?? today)
    const note = state === 'returned' ? body.note : null
    await db
      .updateTable('senderRegistrations')
      .set({
        ...(step === 'brand'
          ? { brand: state, brandOn: on, brandNote: note }
          : { campaign: state, campaignOn: on, campaignNote: note }),
        version: row.version + 1,
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', row.id)
      .execute()
    await audit(db, actor, 'sender.mark', { type: 'sender_registration', id: row.id }, { after: { step, state } })
    await publishChange(db, 'business')
    return getRegistration(db)
  })
