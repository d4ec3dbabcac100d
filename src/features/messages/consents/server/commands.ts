import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
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
