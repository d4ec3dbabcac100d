import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Wage } from '../contract.ts'
import { checkWageDayTx } from './hold.ts'
import { getWages } from './queries.ts'

/** What a person is paid from a day on. Everything worked before that day keeps its wage. @throws state_conflict into a locked week */
export const setWageFrom = (actor: Actor, userId: string, { from, ...wage }: Wage) =>
  withTenant(actor, async (db) => {
    const before = await getWages(db, actor, userId)
    await checkWageDayTx(db, from)
    await db
      .insertInto('wages')
      .values({ businessId: db.businessId, id: newId(), userId, validFrom: from, ...wage, createdAt: clock.iso() })
      .onConflict((c) => c.columns(['businessId', 'userId', 'validFrom']).doUpdateSet(wage))
      .execute()
    await audit(
      db,
      actor,
      'employee.wage',
      { type: 'user', id: userId },
      { before: before.items.find((one) => one.from <= from) ?? null, after: { from, ...wage } },
    )
    await publishChange(db, 'crews', [userId])
    return getWages(db, actor, userId)
  })
