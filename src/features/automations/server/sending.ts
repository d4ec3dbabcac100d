import { sql } from 'kysely'
import { userIdOf, type Who } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { kinds, type Way } from '../kinds/rules.ts'
import type { Judged } from '../rules.ts'
import { settleBellTx } from './bell.ts'
import type { AutomationRow } from './rows.ts'
import { composed, finalDraftOf } from './words.ts'

/** How a run becomes a message, and how one ends. */

export type Running = {
  id: string
  customerId: string
  subjectId: string
  propertyId: string | null
  ownSubject: string | null
  ownText: string | null
}

export type Sending = { status: 'sent'; channel: Way; queuedAt: string } | { status: 'skipped'; reason: string }

/** What becomes of a run that may leave: its message in the outbox, or why there is none. As it leaves it is looked at once more (`leaving.ts`). */
export const sendTx = async (
  db: TenantDb,
  automation: AutomationRow,
  run: Running,
  judged: Judged,
): Promise<Sending> => {
  if (judged.channel === null) return { status: 'skipped', reason: judged.reason }
  const draft = await finalDraftOf(db, automation, run)
  if (draft.problem !== null) return { status: 'skipped', reason: draft.problem }
  const to = { channel: judged.channel, address: judged.address, customerId: run.customerId }
  await queueMessage(db, {
    ...to,
    purpose: kinds[automation.kind].isOffer ? 'marketing' : 'transactional',
    dedupeKey: `automation:${run.id}`,
    entity: { type: 'automation_run', id: run.id },
    ...(await composed(db, automation, draft, to)),
  })
  return { status: 'sent', channel: judged.channel, queuedAt: clock.iso() }
}

type End =
  | { status: 'canceled' | 'skipped'; reason: string }
  | { status: 'dropped'; reason: null }
  | { status: 'sent'; channel: Way; queuedAt: string; ownSubject?: string; ownText?: string }

/** A run that waited waits no longer. */
export const endTx = async (db: TenantDb, id: string, end: End, who?: Who): Promise<void> => {
  const now = clock.iso()
  const ended = await db
    .updateTable('automationRuns')
    .set((eb) => ({
      ...end,
      ...(who ? { decidedBy: userIdOf(who), decidedAt: now } : {}),
      version: eb('version', '+', 1),
      updatedAt: now,
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('status', '=', sql.lit('waiting'))
    .returning('automationId')
    .executeTakeFirst()
  if (!ended) return
  await settleBellTx(db)
  await publishChange(db, 'automations', [ended.automationId])
}
