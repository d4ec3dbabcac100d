import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { readPhone } from '../../../../shared/phone.ts'
import { lockPerson } from '../../../accounts/team/server/commands.ts'
import type { EmergencyContact, emergencyApi } from '../contract.ts'
import { getEmergencyContact } from './queries.ts'

type Body = z.output<typeof emergencyApi.set.body>

/** Whom to call for a person. That somebody changed it is written down, never the number. @throws not_found, version_conflict */
export const setEmergencyContact = (
  actor: Actor,
  userId: string,
  { version, name, relation, phone }: Body,
): Promise<EmergencyContact> =>
  withTenant(actor, async (db) => {
    await lockPerson(db, actor, userId)
    requireVersion(await getEmergencyContact(db, userId), version, 'this emergency contact')
    const number = phone === null ? null : readPhone(phone)
    if (number === null)
      await db
        .deleteFrom('emergencyContacts')
        .where('businessId', '=', db.businessId)
        .where('userId', '=', userId)
        .execute()
    else {
      const values = { name, relation, phone: number, version: version + 1, updatedAt: clock.iso() }
      await db
        .insertInto('emergencyContacts')
        .values({ businessId: db.businessId, userId, ...values })
        .onConflict((c) => c.columns(['businessId', 'userId']).doUpdateSet(values))
        .execute()
    }
    await audit(db, actor, 'employee.emergencyContact', { type: 'user', id: userId })
    await publishChange(db, 'crews', [userId])
    return getEmergencyContact(db, userId)
  })
