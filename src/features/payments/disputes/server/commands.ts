import { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { enqueue, taskName } from '../../../../platform/tasks/task.ts'
import { refuse } from '../../../../shared/can.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { Dispute } from '../contract.ts'
import { type DisputeAction, disputeRefusals } from '../rules.ts'
import { type DisputeRow, setDisputeTx } from './books.ts'
import { getDispute } from './queries.ts'

/** Hands the evidence to the bank; the work stands in tasks.ts. */
export const submitTask = taskName({ name: 'payments.submitEvidence', payload: z.object({ disputeId: z.uuid() }) })

type Body = { text: string; version: number }

const lockTx = async (db: TenantDb, id: string, action: DisputeAction, version: number): Promise<DisputeRow> => {
  const row = await db
    .selectFrom('disputes')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('dispute')
  refuse(disputeRefusals[action]({ ...row, nowMs: clock.nowMs() }))
  requireVersion(row, version, 'this dispute')
  return row
}

/** Keeps the words of the evidence. */
export const saveEvidence = (actor: Actor, id: string, { text, version }: Body): Promise<Dispute> =>
  withTenant(actor, async (db) => {
    const row = await lockTx(db, id, 'edit', version)
    await setDisputeTx(db, id, { evidenceText: text })
    await publishChange(db, 'payments', [row.paymentId])
    return getDispute(db, actor, id)
  })

/** Sends the evidence, once: from now on it cannot be changed, unless the bank did not take it. */
export const submitEvidence = (actor: Actor, id: string, { text, version }: Body): Promise<Dispute> =>
  withTenant(actor, async (db) => {
    const row = await lockTx(db, id, 'submit', version)
    const sent = await setDisputeTx(db, id, {
      evidenceText: text,
      submission: 'sending',
      submittedAt: clock.iso(),
      submittedBy: actor.userId,
      problem: null,
    })
    await enqueue(db, submitTask, { disputeId: id }, { key: `${id}:${sent.version}` })
    await audit(db, actor, 'dispute.submit', { type: 'payment', id: row.paymentId }, { after: { disputeId: id } })
    await publishChange(db, 'payments', [row.paymentId])
    return getDispute(db, actor, id)
  })
