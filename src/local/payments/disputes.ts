import { clock } from '../../platform/clock.ts'
import { database } from '../../platform/db/database.ts'
import { type Dispute, type EvidenceRequest, PaymentRefused } from '../../platform/payments/provider.ts'
import { findLocalCharge } from './cards.ts'
import { findLocalPaymentOf } from './checkout.ts'
import type { DisputeStep } from './contract.ts'
import { deliverLocalEvents, type LocalEvent } from './events.ts'
import { noteMove } from './moves.ts'
import { idOf, insert, listOfAccount, lock, read, write } from './objects.ts'

// The bank of a payer, played: it asks, takes a payment back, and decides.

export type LocalDispute = Dispute & {
  account: string
  evidence: string | null
  /** The files that came with it, as base64. */
  papers?: { invoice: string | null; work: string }
}

const dueDays = 10
const feeCents = 1500

const nameOf = ({ kind, status }: Dispute): string =>
  status === 'closed' ? 'warning_closed' : kind === 'inquiry' ? `warning_${status}` : status

const tell = (type: 'created' | 'updated' | 'closed' | 'funds_withdrawn' | 'funds_reinstated', dispute: LocalDispute) =>
  ({
    type: `charge.dispute.${type}`,
    account: dispute.account,
    object: {
      id: dispute.id,
      object: 'dispute',
      amount: dispute.amountCents,
      payment_intent: dispute.paymentId,
      reason: dispute.reason,
      status: nameOf(dispute),
    },
  }) satisfies LocalEvent

/** What the bank took, with what the provider takes for it. */
const noteTaken = async ({ id, account, takenCents, feeCents: fee }: LocalDispute): Promise<void> => {
  if (takenCents > 0)
    await noteMove(account, id, { kind: 'dispute', amountCents: -takenCents, feeCents: fee, sourceId: id })
}

/** A payment that was made here, by page or by a saved card, or null. */
const findPaid = async (paymentId: string, account: string) => {
  const charge = await findLocalCharge(paymentId, account)
  if (charge?.status === 'paid') return { amountCents: charge.amountCents, mark: charge.mark }
  const page = await findLocalPaymentOf(paymentId)
  return page?.account === account && page.paymentId ? { amountCents: page.amountCents, mark: page.invoice } : null
}

type Opened = { amountCents?: number; reason: string; kind: Dispute['kind'] }

/** A bank questions a payment. A return takes the money for good, at once. @returns the dispute's id, or null for a payment that is not there */
export const openLocalDispute = async (account: string, paymentId: string, wish: Opened): Promise<string | null> => {
  const paid = await findPaid(paymentId, account)
  if (!paid) return null
  const { kind, reason } = wish
  const amountCents = Math.min(wish.amountCents ?? paid.amountCents, paid.amountCents)
  const dispute: LocalDispute = {
    provider: 'local',
    livemode: false,
    id: idOf('dp'),
    paymentId,
    amountCents,
    kind,
    reason,
    status: kind === 'return' ? 'lost' : 'needs_response',
    dueAt: kind === 'return' ? null : new Date(clock.nowMs() + dueDays * 86_400_000).toISOString(),
    takenCents: kind === 'inquiry' ? 0 : amountCents,
    returnedCents: 0,
    feeCents: kind === 'dispute' ? feeCents : 0,
    isSubmitted: false,
    openedAt: clock.iso(),
    mark: paid.mark,
    account,
    evidence: null,
  }
  await insert('dispute', dispute.id, dispute, null)
  await noteTaken(dispute)
  await deliverLocalEvents([
    tell('created', dispute),
    ...(kind === 'inquiry' ? [] : [tell('funds_withdrawn', dispute)]),
    ...(kind === 'return' ? [tell('closed', dispute)] : []),
  ])
  return dispute.id
}

const change = (id: string, work: (dispute: LocalDispute) => LocalDispute | null): Promise<LocalDispute | null> =>
  database()
    .transaction()
    .execute(async (tx) => {
      const dispute = await lock<LocalDispute>(tx, 'dispute', id)
      const after = dispute ? work(dispute) : null
      if (after) await write(tx, id, after)
      return after
    })

const isOver = ({ status }: Dispute) => status === 'won' || status === 'lost' || status === 'closed'

/** The bank decides otherwise than it had: it takes what it gave back, or gives back what it kept. */
export const reverseLocalDispute = async (id: string): Promise<void> => {
  const after = await change(id, (dispute) => {
    if (dispute.status === 'won')
      return { ...dispute, status: 'lost', takenCents: dispute.takenCents + dispute.amountCents }
    return dispute.status === 'lost' ? { ...dispute, status: 'won', returnedCents: dispute.takenCents } : null
  })
  if (!after) return
  const isLost = after.status === 'lost'
  await noteMove(after.account, `${id}_${after.takenCents}_${after.returnedCents}`, {
    kind: 'dispute',
    amountCents: isLost ? -after.amountCents : after.amountCents,
    sourceId: id,
  })
  await deliverLocalEvents([
    tell('updated', after),
    tell(isLost ? 'funds_withdrawn' : 'funds_reinstated', after),
    tell('closed', after),
  ])
}

/** The bank goes on: an inquiry becomes a dispute or ends, a dispute is decided, or decided otherwise afterwards. */
export const stepLocalDispute = async (id: string, step: DisputeStep): Promise<void> => {
  if (step === 'reverse') return reverseLocalDispute(id)
  const after = await change(id, (dispute) => {
    if (isOver(dispute)) return null
    if (dispute.kind === 'inquiry')
      return step === 'escalate'
        ? {
            ...dispute,
            kind: 'dispute',
            status: 'needs_response',
            isSubmitted: false,
            takenCents: dispute.amountCents,
            feeCents,
          }
        : { ...dispute, status: 'closed' }
    if (step === 'escalate') return null
    return step === 'win'
      ? { ...dispute, status: 'won', returnedCents: dispute.takenCents }
      : { ...dispute, status: 'lost' }
  })
  if (!after) return
  await noteTaken(after)
  if (after.returnedCents > 0)
    await noteMove(after.account, `${id}_back`, { kind: 'dispute', amountCents: after.returnedCents, sourceId: id })
  await deliverLocalEvents(
    isOver(after)
      ? [tell('closed', after), ...(after.returnedCents > 0 ? [tell('funds_reinstated', after)] : [])]
      : [tell('updated', after), tell('funds_withdrawn', after)],
  )
}

/** @param account asked by its account a dispute of another one is not there */
export const findLocalDispute = async (id: string, account: string): Promise<Dispute | null> => {
  const found = await read<LocalDispute>('dispute', id)
  if (found?.account !== account) return null
  const { account: _, evidence: __, papers: ___, ...dispute } = found
  return dispute
}

export const listLocalDisputes = async (account: string): Promise<LocalDispute[]> =>
  (await listOfAccount<LocalDispute>('dispute', account, 100)).map(({ payload }) => payload)

/** Takes evidence once and in time. */
export const submitLocalEvidence = async ({ disputeId, evidence }: EvidenceRequest, account: string): Promise<void> => {
  const before = await read<LocalDispute>('dispute', disputeId)
  if (before?.account !== account) throw new PaymentRefused('No such dispute.')
  if (before.isSubmitted) return
  if (before.status !== 'needs_response' || Date.parse(before.dueAt ?? '') < clock.nowMs())
    throw new PaymentRefused('The bank takes no evidence for this dispute any more.')
  const after = await change(disputeId, (dispute) => ({
    ...dispute,
    isSubmitted: true,
    status: 'under_review',
    evidence: evidence.text,
    papers: {
      invoice: evidence.invoice && Buffer.from(evidence.invoice).toString('base64'),
      work: Buffer.from(evidence.work).toString('base64'),
    },
  }))
  if (after) await deliverLocalEvents([tell('updated', after)])
}
