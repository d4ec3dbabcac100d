import { sql } from 'kysely'
import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { log } from '../../../../platform/log.ts'
import { AppError } from '../../../../shared/errors.ts'
import type { AutoInvoices } from '../../../businesses/autoinvoices/rules.ts'
import { addBatchTx, BatchIsMade, beginBatchTx, goOnTx } from '../../batch/server/commands.ts'
import { planFinishedVisits } from '../../batch/server/queries.ts'
import { isTaken, readDueTurns, type Turn } from './queries.ts'
import { tellOfAutomaticTx, tellOfRefusedTx } from './report.ts'

/** Invoices what is finished of everybody whose turn it is; the turn and its batch are one transaction, so none is taken twice or half. */
const takeTurnTx = async (db: TenantDb, actor: SystemActor, rule: AutoInvoices, turn: Turn): Promise<void> => {
  await beginBatchTx(db)
  // whoever looked at the same time took it while we waited
  if (await isTaken(db, turn)) return
  const { invoices, exceptions, more } = await planFinishedVisits(db, {
    to: turn.on,
    grouping: null,
    customers: sql<boolean>`coalesce(c.auto_invoices, ${rule.rhythm}) = ${turn.rhythm}`,
  })
  const batchId = invoices.length > 0 ? await addBatchTx(db, actor, invoices, rule.send) : null
  const idsOf = (reason: string) => exceptions.flatMap((one) => (one.reason === reason ? [one.visit.id] : []))
  const id = newId()
  await db
    .insertInto('automaticInvoiceRuns')
    .values({
      businessId: db.businessId,
      id,
      rhythm: turn.rhythm,
      turnOn: turn.on,
      batchId,
      noPrice: idsOf('no_price'),
      onHold: idsOf('on_hold').length,
      more,
      createdAt: clock.iso(),
    })
    .execute()
  if (batchId) await goOnTx(db, batchId)
  else await tellOfAutomaticTx(db, { runId: id })
}

/** Takes one turn, once. @throws conflict while a batch is being made */
export const takeTurn = (actor: SystemActor, rule: AutoInvoices, turn: Turn): Promise<void> =>
  withTenant(actor, (db) => takeTurnTx(db, actor, rule, turn))

/**
 * Takes the turns of a business that have come. Where somebody makes invoices by hand just now, or another turn is still being made, the next
 * look takes it: it stays due until then. A turn that is refused holds no other back, and the office is told once.
 */
export const invoiceAutomatically = async (actor: SystemActor, take = takeTurn): Promise<void> => {
  const { rule, turns } = await withTenant(actor, readDueTurns)
  for (const turn of turns) {
    try {
      await take(actor, rule, turn)
    } catch (error) {
      if (!(error instanceof AppError) || (error.status >= 500 && error.status !== 503)) throw error
      const { message: reason } = error
      log.info({ businessId: actor.businessId, rhythm: turn.rhythm, reason }, 'an automatic turn waits')
      // a batch is being made, or the database is busy: the next look is soon
      if (error instanceof BatchIsMade || error.status === 503) return
      await withTenant(actor, (db) => tellOfRefusedTx(db, turn, reason))
    }
  }
}
