import { type Insertable, sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { inPieces } from '../../../../platform/db/rows.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import type { ConsentEvents, Suppressions } from '../../../../platform/db/types.generated.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { lockAddress, recordConsent, unsuppress } from '../../server/commands.ts'
import type { CustomerConsents, consentsApi } from '../contract.ts'
import { consentRefusals, officeSource, olderThanNo } from '../rules.ts'
import { listAddressFacts, listConsents } from './queries.ts'

/**
 * The office writes down what somebody said of offers. What they say themselves afterwards wins; what is shut for everything stays shut.
 * @throws validation_failed, state_conflict, not_found
 */
export const recordWord = (
  actor: Actor,
  customerId: string,
  { channel, address, action, how, on, note }: z.output<typeof consentsApi.record.body>,
): Promise<CustomerConsents> =>
  withTenant(actor, async (db) => {
    if (on > (await todayOf(db)))
      throw invalid([{ path: 'on', message: 'That day is still to come. Give the day on which they said it.' }])
    // the same lock as a STOP takes: whichever of both comes second sees the other
    await lockAddress(db, channel, address)
    const facts = (await listAddressFacts(db, customerId)).find(
      (one) => one.channel === channel && one.address === address,
    )
    if (!facts)
      throw invalid([
        {
          path: 'address',
          message: `This ${channel === 'sms' ? 'number' : 'e-mail'} is not on the record any more. Close this and look again.`,
        },
      ])
    if (action === 'grant') {
      refuse(consentRefusals.agree(facts))
      const older = olderThanNo(on, facts.lastNoOn)
      if (older) throw conflict(older)
      // an offer-only "no" is answered by a newer "yes"; what is shut for everything was refused above
      if (facts.suppressed) await unsuppress(db, channel, address)
    }
    await recordConsent(db, {
      channel,
      address,
      purpose: 'marketing',
      action,
      source: officeSource(how),
      wording: note,
      actorId: actor.userId,
      saidOn: on,
    })
    await audit(
      db,
      actor,
      'consent.record',
      { type: 'customer', id: customerId },
      { after: { channel, address, action, how, on, note } },
    )
    await publishChange(db, 'customers', [customerId])
    return listConsents(db, actor, customerId)
  })

type Of = { channel: 'email' | 'sms'; address: string; at: string }

/**
 * Brings back what was said, and what is shut, of customers that a file of ours holds: each with its own instant, so that what was said here since
 * then still wins. A word that is here already comes once.
 */
export const insertImportedWordsTx = async (
  db: TenantDb,
  brought: {
    words: readonly (Of & {
      purpose: 'transactional' | 'marketing'
      action: 'grant' | 'revoke'
      source: string
      wording: string
      saidOn: string | null
    })[]
    shut: readonly (Of & { purpose: 'all' | 'marketing'; reason: string })[]
  },
): Promise<void> => {
  const now = clock.iso()
  const business = db.businessId
  const fresh = await sql<Insertable<ConsentEvents>>`
    select distinct on (w.channel, w.address, w.purpose, w.action, w.at)
      ${business}::uuid as business_id, w.id, w.channel, w.address, w.purpose, w.action, w.source, w.wording, w."saidOn" as said_on, w.at
    from jsonb_to_recordset(${JSON.stringify(brought.words.map((word) => ({ ...word, id: newId() })))}::jsonb)
      as w(id uuid, channel text, address text, purpose text, action text, source text, wording text, "saidOn" date, at timestamptz)
    where w.at <= ${now}::timestamptz and not exists (select 1 from consent_events e where e.business_id = ${business}
      and e.channel = w.channel and e.address = w.address and e.purpose = w.purpose and e.action = w.action and e.at = w.at)`.execute(
    db,
  )
  for (const some of inPieces(fresh.rows)) await db.insertInto('consentEvents').values(some).execute()
  const shut = await sql<Insertable<Suppressions>>`
    select distinct on (s.channel, s.address, s.purpose) ${business}::uuid as business_id, s.channel, s.address, s.purpose, s.reason, s.at
    from jsonb_to_recordset(${JSON.stringify(brought.shut)}::jsonb)
      as s(channel text, address text, purpose text, reason text, at timestamptz)
    where not exists (select 1 from consent_events e where e.business_id = ${business} and e.channel = s.channel
      and e.address = s.address and e.action = 'grant' and e.source = 'keyword' and e.at > s.at)`.execute(db)
  for (const some of inPieces(shut.rows))
    await db
      .insertInto('suppressions')
      .values(some)
      .onConflict((on) => on.columns(['businessId', 'channel', 'address', 'purpose']).doNothing())
      .execute()
}
